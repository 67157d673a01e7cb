// Levels to drop on the page: a room with a red floor and a wall 5 m ahead, as OBJ with a picture and as GLB.
import zlib from 'node:zlib';

// A PNG of one colour.
function picture([r, g, b], edge = 8) {
    const chunk = (kind, content) => {
        const body = Buffer.concat([Buffer.from(kind), content]);
        const out = Buffer.alloc(body.length + 8);
        out.writeUInt32BE(content.length);
        body.copy(out, 4);
        out.writeUInt32BE(crc(body), body.length + 4);
        return out;
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(edge);
    header.writeUInt32BE(edge, 4);
    header.set([8, 2], 8);
    const row = Buffer.from([0, ...Array(edge).fill([r, g, b]).flat()]);
    const pixels = zlib.deflateSync(Buffer.concat(Array(edge).fill(row)));
    const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
    return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...parts]);
}

function crc(bytes) {
    let crc = -1;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
    }
    return ~crc >>> 0;
}

// Floor, then wall.
const CORNERS = [
    [-10, 0, -10], [-10, 0, 10], [10, 0, 10], [10, 0, -10],
    [-10, 0, -5], [10, 0, -5], [10, 4, -5], [-10, 4, -5],
];

const OBJ = `mtllib room.mtl
${CORNERS.map(corner => `v ${corner.join(' ')}`).join('\n')}
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
usemtl floor
f 1/1 2/2 3/3 4/4
usemtl wall
f 5/1 6/2 7/3 8/4
`;
const MTL = 'newmtl floor\nKd 1 1 1\nmap_Kd Red.PNG\nnewmtl wall\nKd 0.2 0.2 0.8\n';

// The picture is named in another case, as files of other systems are.
export const room = { 'room.obj': OBJ, 'room.mtl': MTL, 'red.png': picture([220, 20, 20]) };

export const broken = { 'broken.obj': 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n' };

export const unknown = { 'level.blend': 'BLENDER' };

function glb() {
    const positions = Buffer.from(new Float32Array(CORNERS.flat()).buffer);
    const indices = Buffer.from(new Uint16Array([0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]).buffer);
    const json = Buffer.from(JSON.stringify({
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        buffers: [{ byteLength: positions.length + indices.length }],
        bufferViews: [
            { buffer: 0, byteLength: positions.length },
            { buffer: 0, byteOffset: positions.length, byteLength: indices.length },
        ],
        accessors: [
            { bufferView: 0, componentType: 5126, count: CORNERS.length, type: 'VEC3', min: [-10, 0, -10], max: [10, 4, 10] },
            { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
        ],
    }));
    const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3, ' ')]);
    const content = Buffer.concat([positions, indices]);
    const words = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
    const length = 12 + 8 + padded.length + 8 + content.length;
    const [JSON_CHUNK, BINARY_CHUNK] = [0x4e4f534a, 0x004e4942];
    return Buffer.concat([
        words(0x46546c67, 2, length), words(padded.length, JSON_CHUNK), padded, words(content.length, BINARY_CHUNK), content,
    ]);
}

export const box = { 'box.glb': glb() };
