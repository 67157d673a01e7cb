// What the page adds to the viewer: it fetches the program and levels, takes dropped files, and tells how far that is.

// The program, once it is here.
let program;

const canvas = document.getElementById('level');
const told = document.getElementById('told');
const words = document.getElementById('words');
const bar = document.getElementById('bar');
const asked = new URLSearchParams(location.search);

function tell(text, part) {
    words.textContent = text;
    bar.hidden = part === undefined;
    if (part === null) bar.removeAttribute('value');
    else if (part !== undefined) bar.value = part;
    told.hidden = !text;
}

// The whole of a file. The bar shows how far that is, where the server says how long it is.
async function fetched(url, name) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const length = response.headers.get('Content-Encoding') ? 0 : Number(response.headers.get('Content-Length'));
    const pieces = [];
    let read = 0;
    tell(`loading ${name}`, null);
    for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        pieces.push(value);
        read += value.length;
        if (length) tell(`loading ${name}`, Math.min(1, read / length));
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

// Servers may have unpacked it already.
async function unpacked(bytes) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The next two frames are drawn first, so that what was told is seen.
const seen = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));

// Opens a level of this site, with what it names.
async function openFromSite(address) {
    const url = new URL(address, location.href);
    if (url.origin !== location.origin) return tell(`${address} is on another site: a level has to be on this one`);
    program.forget_files();
    const level = decodeURIComponent(url.pathname);
    const tried = new Set();
    for (let wanted = [level]; wanted.length > 0;) {
        for (const path of wanted) {
            tried.add(path);
            const there = path.split('/').map(encodeURIComponent).join('/');
            // What is missing is told by whoever needs it.
            await fetched(new URL(there, url), path).then(content => program.give_file(path, content), () => { });
        }
        tell(`reading ${level}`, null);
        await seen();
        wanted = program.missing_files(level).filter(path => !tried.has(path));
    }
    program.open_level(level);
    tell('');
}

const LEVELS = /\.(obj|gltf|glb)$/i;

// All files of what was dropped, folders too, each with its path.
async function filesOf(items) {
    const found = [];
    const walk = async (entry, folder) => {
        if (entry.isFile) {
            const file = await new Promise((done, failed) => entry.file(done, failed));
            found.push([folder + entry.name, file]);
        } else {
            const reader = entry.createReader();
            for (; ;) {
                const some = await new Promise((done, failed) => reader.readEntries(done, failed));
                if (some.length === 0) break;
                for (const inside of some) await walk(inside, `${folder}${entry.name}/`);
            }
        }
    };
    // Both have to be asked for before the first pause.
    const entries = items.map(item => [item.webkitGetAsEntry?.(), item.getAsFile()]);
    for (const [entry, file] of entries) {
        if (entry) await walk(entry, '');
        else if (file) found.push([file.name, file]);
    }
    return found;
}

async function openDropped(files) {
    if (files.length === 0) return;
    program.forget_files();
    for (const [path, file] of files) {
        tell(`reading ${path}`, null);
        program.give_file(path, new Uint8Array(await file.arrayBuffer()));
    }
    tell('');
    const [level] = files.find(([path]) => LEVELS.test(path)) ?? files[0];
    program.open_level(level);
}

addEventListener('dragover', event => event.preventDefault());
addEventListener('drop', event => {
    event.preventDefault();
    const items = [...event.dataTransfer.items].filter(item => item.kind === 'file');
    filesOf(items).then(openDropped).catch(error => tell(String(error)));
});
for (const happens of ['pointerlockchange', 'pointerlockerror']) {
    document.addEventListener(happens, () => {
        if (!document.pointerLockElement) program.mouse_released();
    });
}
for (const button of document.querySelectorAll('#touch button')) {
    const press = (kind, event) => {
        event.preventDefault();
        const { key } = button.dataset;
        canvas.dispatchEvent(new KeyboardEvent(kind, { code: key, key: key.replace('Key', '').toLowerCase() }));
    };
    button.addEventListener('pointerdown', event => press('keydown', event));
    button.addEventListener('pointerup', event => press('keyup', event));
    button.addEventListener('pointercancel', event => press('keyup', event));
}

try {
    const wasm = await unpacked(await fetched('nodetree.wasm.gz', 'the viewer'));
    const script = await unpacked(await fetched('nodetree.js.gz', 'the viewer'));
    program = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
    await program.default({ module_or_path: wasm });
    program.on_break(text => tell(`the viewer broke off, which is a fault of nodetree: ${text}`));
    // For scripts: what the page shows, as `nodetree view --state` writes it.
    window.nodetree = {
        state: () => JSON.parse(program.state() || 'null'),
        lookFrom: pose => program.look_from(...pose),
        open: openFromSite,
    };
    tell('building the castle', null);
    await seen();
    await program.start(canvas, asked.get('backend') !== 'webgl');
    tell('');
    canvas.focus();
    if (asked.has('level')) await openFromSite(asked.get('level'));
} catch (error) {
    tell(String(error));
    throw error;
}
