// node run.mjs, beside the module that wasm-bindgen made: a floor and a wall, and rays to them.
import assert from 'node:assert/strict';
import { Level } from './rays.js';

const obj = `
v -5 0 -5\nv 5 0 -5\nv 5 0 5\nv -5 0 5
v -5 0 -4\nv 5 0 -4\nv 5 3 -4\nv -5 3 -4
f 1 4 3 2
f 5 6 7 8
`;
const level = new Level(new TextEncoder().encode(obj));
const answers = [
    ['down to the floor', [0, 1.5, 0], [0, -1, 0], 1.5],
    ['ahead to the wall', [0, 1, 0], [0, 0, -2], 4],
    ['over the wall', [0, 3.5, 0], [0, 0, -1], undefined],
    ['nowhere', [0, 1, 0], [0, 0, 0], undefined],
];
for (const [what, from, towards, expected] of answers) {
    const distance = level.distance(from, towards);
    console.log(`${what}: ${distance ?? 'nothing'}`);
    assert.equal(distance, expected, what);
}
assert.throws(() => new Level(new TextEncoder().encode('v 0 0 0\nf 1 2 9\n')), /line 2/);
