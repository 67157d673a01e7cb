// Drives the page in headless Chromium: node web_page.mjs FOLDER [webgl] [webgpu]; checks/web calls it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { box, broken, room, unknown } from './web_files.mjs';

const [folder, ...asked] = process.argv.slice(2);
// What the desktop's pictures show: eye in level coordinates, heading and elevation in degrees.
const POSES = process.env.POSES.split(' ').map(pose => pose.split(',').map(Number));
const [width, height] = process.env.SIZE.split('x').map(Number);
const SIZE = { width, height };
const FLAGS = {
    webgl: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    webgpu: [
        '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--use-vulkan=swiftshader', '--enable-features=Vulkan',
        '--use-angle=vulkan',
    ],
};
const QUIET = [
    '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync',
];
const PATIENCE_MS = 60000;

// A static file server that does not mind letter case, with the room beside the page.
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };
let sent = 0;
const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const file = path.join(folder, 'page', name.endsWith('/') ? `${name}index.html` : name);
    const content = room[path.basename(name).toLowerCase()] ?? (fs.existsSync(file) && fs.readFileSync(file));
    if (!content) return response.writeHead(404).end();
    const bytes = Buffer.from(content);
    sent += bytes.length;
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream', 'Content-Length': bytes.length });
    response.end(bytes);
}).listen(0, '127.0.0.1');
await new Promise(done => server.once('listening', done));
const address = `http://localhost:${server.address().port}/`;

const state = page => page.evaluate(() => window.nodetree?.state());

for (const kind of asked.length > 0 ? asked : Object.keys(FLAGS)) await check(kind);
server.close();

async function check(kind) {
    sent = 0;
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...QUIET, ...FLAGS[kind]] });
    try {
        const page = await open(browser, kind, `?backend=${kind}`);
        await paints(page, kind);
        await looksAsOnTheDesktop(page, kind);
        await switches(page);
        await opensWhatIsDropped(page, kind);
        await collides(page);
        await looksByMouse(page);
        await opensWhatIsLinked(browser, kind);
        await obeysThumbs(browser, kind);
        console.log(`${kind}: all is well`);
    } finally {
        await browser.close();
    }
}

// Opens the page; every error on its console is one of the check.
async function open(browser, kind, search, options = {}) {
    const context = await browser.newContext({ viewport: SIZE, ...options });
    const page = await context.newPage();
    page.on('pageerror', error => { throw error; });
    page.on('console', message => {
        const isMissing = message.text().includes('404');
        if (message.type() === 'error' && !isMissing) throw new Error(`on the page's console: ${message.text()}`);
    });
    await page.goto(address + search);
    await until(page, state => state.frame > 0, 'the first frame');
    const { adapter } = await state(page);
    assert.ok(adapter.includes(kind === 'webgl' ? 'OpenGL' : 'WebGPU'), `${kind} was asked for and ${adapter} was taken`);
    return page;
}

// Waits until the state is as wanted.
async function until(page, wanted, what) {
    const end = Date.now() + PATIENCE_MS;
    for (let last; ; last = await state(page)) {
        if (last && wanted(last)) return last;
        if (Date.now() > end) throw new Error(`${what} does not come: ${JSON.stringify(last)} ${await page.textContent('#words')}`);
        await new Promise(done => setTimeout(done, 50));
    }
}

async function paints(page, kind) {
    const { level, position, triangles } = await state(page);
    assert.equal(level, 'builtin:castle');
    assert.ok(triangles.drawn > 1000);
    assert.ok(sent <= 6e6, `${sent} bytes to the first picture`);
    console.log(`${kind}: ${sent} bytes to the first picture`);
    await page.keyboard.down('KeyW');
    await until(page, state => state.position[2] < position[2] - 2, 'a way of 2 m by W');
    await page.keyboard.up('KeyW');
}

async function looksAsOnTheDesktop(page, kind) {
    await page.keyboard.press('KeyH');
    await until(page, state => !state.hud, 'a view without numbers');
    for (const [number, pose] of POSES.entries()) {
        await page.evaluate(pose => window.nodetree.lookFrom(pose), pose);
        const { frame } = await until(page, state => Math.hypot(...state.eye.map((part, axis) => part - pose[axis])) < 1e-3, 'the pose');
        await until(page, state => state.frame >= frame, 'its frame');
        // What was drawn is shown with the browser's next frame.
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        const [desktop, here, difference] = [`desktop-${number}`, `${kind}-${number}`, `${kind}-${number}-difference`]
            .map(name => path.join(folder, `${name}.png`));
        await page.screenshot({ path: here });
        const told = execFileSync(process.env.COMPARE, [desktop, here, difference], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
        console.log(`${kind}: pose ${number}: ${told.trim()}`);
    }
    await page.keyboard.press('KeyH');
    await page.keyboard.press('KeyG');
    await until(page, state => state.hud && state.moving === 'walk', 'walking with numbers');
}

async function switches(page) {
    const { mode } = await state(page);
    await page.keyboard.press('KeyT');
    await until(page, state => state.mode !== mode && !state.rebuilding, 'the other tree');
    await page.keyboard.press('KeyF');
    await until(page, state => state.frozen, 'a frozen camera');
    await page.keyboard.press('KeyF');
    await until(page, state => !state.frozen, 'a camera that goes on');
    // The page goes on after that.
    await page.keyboard.press('Escape');
    const { frame } = await state(page);
    await page.keyboard.press('KeyB');
    await until(page, state => state.boxes && state.frame > frame, 'boxes');
    await page.keyboard.press('KeyB');
}

// Drops files on the page.
function drop(page, files) {
    const contents = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
    return page.evaluate(files => {
    const dropped = new DataTransfer();
    for (const [name, content] of Object.entries(files)) {
        dropped.items.add(new File([Uint8Array.from(atob(content), letter => letter.charCodeAt(0))], name));
    }
    document.getElementById('level').dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }, Object.fromEntries(contents));
}

async function opensWhatIsDropped(page, kind) {
    await drop(page, broken);
    const { message, level } = await until(page, state => state.message?.includes('broken.obj'), 'a word about the broken file');
    assert.match(message, /broken\.obj, line 4: .*9/);
    assert.equal(level, 'builtin:castle');
    await drop(page, unknown);
    await until(page, state => /level\.blend.*\.blend is not known/.test(state.message ?? ''), 'a word about the unknown format');
    await drop(page, box);
    const { triangles } = await until(page, state => state.level === 'box.glb', 'the dropped GLB');
    assert.equal(triangles.all, 4);
    await drop(page, room);
    const shown = await until(page, state => state.level === 'room.obj', 'the dropped OBJ');
    assert.equal(shown.warnings, 0, 'material and picture are found');
    await page.evaluate(() => window.nodetree.lookFrom([0, 3, 4, 0, -60]));
    await until(page, state => Math.abs(state.pitch + 60) < 0.1, 'a look at the floor');
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    const picture = await page.screenshot({ path: path.join(folder, `${kind}-room.png`) });
    // Beside crosshair, numbers and message.
    const [r, g, b] = await pixel(page, picture, 560, 300);
    assert.ok(r > 2 * g && r > 2 * b, `the floor is red as its picture, and not ${[r, g, b]}`);
}

function pixel(page, picture, x, y) {
    return page.evaluate(async ([picture, x, y]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(x, y, 1, 1).data];
    }, [picture.toString('base64'), x, y]);
}

// Up to the wall of the room, and no further.
async function collides(page) {
    await page.evaluate(() => window.nodetree.lookFrom([0, 1.65, 2, 0, 0]));
    await page.keyboard.press('KeyG');
    const { position } = await until(page, state => state.moving === 'walk' && state.grounded, 'a walker on the floor');
    assert.ok(position[2] > 0);
    await page.keyboard.down('KeyW');
    const { time_ms } = await until(page, state => state.position[2] < -4, 'a way to the wall');
    const { position: at } = await until(page, state => state.time_ms > time_ms + 1500, 'time');
    await page.keyboard.up('KeyW');
    assert.ok(at[2] > -5 && at[2] < -4, `the wall is at -5, the walker at ${at}`);
}

async function looksByMouse(page) {
    const before = await state(page);
    await page.mouse.move(300, 200);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(400, 200, { steps: 4 });
    await until(page, state => state.yaw !== before.yaw, 'a turn by dragging');
    await page.mouse.up({ button: 'right' });
    await page.mouse.click(320, 180);
    await until(page, state => state.captured, 'a captured mouse');
    await page.evaluate(() => document.exitPointerLock());
    await until(page, state => !state.captured, 'a mouse that is let go');
}

async function opensWhatIsLinked(browser, kind) {
    const page = await open(browser, kind, `?backend=${kind}&level=levels/room.obj`);
    const { warnings } = await until(page, state => state.level === '/levels/room.obj', 'the linked level');
    assert.equal(warnings, 0);
    await page.evaluate(() => window.nodetree.open('levels/none.obj'));
    await until(page, state => /no file .*none\.obj/.test(state.message ?? ''), 'a word about the missing file');
    await page.context().close();
}

async function obeysThumbs(browser, kind) {
    const page = await open(browser, kind, `?backend=${kind}`, { hasTouch: true });
    const { position, yaw } = await state(page);
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([id, x, y]) => ({ id, x, y })) });
    await touch('touchStart', [1, 100, 250]);
    await touch('touchMove', [1, 100, 200]);
    await until(page, state => state.position[2] < position[2] - 1, 'a way by the left thumb');
    await touch('touchStart', [1, 100, 200], [2, 500, 200]);
    await touch('touchMove', [1, 100, 200], [2, 560, 200]);
    await until(page, state => state.yaw < yaw - 1, 'a turn by the right thumb');
    await touch('touchEnd');
    const { mode } = await state(page);
    await page.evaluate(() => document.querySelector('[data-key=KeyT]').dispatchEvent(new PointerEvent('pointerdown')));
    await until(page, state => state.mode !== mode, 'the other tree by a button');
    await page.context().close();
}
