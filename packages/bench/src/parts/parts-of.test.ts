import { partsOf } from './parts-of'

const frame = (functionName: string, url = '') => ({ functionName, url })

/** The profile of a handler of ours, which calls a built-in and gRPC, and of the engine's own work. */
const profile = {
  startTime: 1_000,
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 6, 7] },
    { id: 2, callFrame: frame('handle', 'file:///m/services/ledger/dist/a.js'), children: [3, 4] },
    { id: 3, callFrame: frame('stringify') },
    {
      id: 4,
      callFrame: frame('send', 'file:///m/node_modules/.pnpm/x/node_modules/@grpc/grpc-js/b.js'),
    },
    { id: 5, callFrame: frame('(idle)') },
    { id: 6, callFrame: frame('(garbage collector)') },
    { id: 7, callFrame: frame('onread', 'node:internal/stream_base_commons') },
  ],
  samples: [2, 3, 4, 5, 6, 7, 2],
  timeDeltas: [1_000, 2_000, 3_000, 50_000, 4_000, 5_000, 7_000],
}

test('counts a built-in for its caller, a package and the engine by themselves, and idle time for none', () => {
  expect(Object.fromEntries(partsOf(profile, 0, 100_000))).toEqual({
    'our own code': 10,
    gRPC: 3,
    'garbage collection': 4,
    'Node: sockets and streams': 5,
  })
})

test('leaves out samples before or after the period', () => {
  // The first sample is at 2,000 and the last at 73,000.
  expect(Object.fromEntries(partsOf(profile, 3_000, 8_000))).toEqual({ 'our own code': 2, gRPC: 3 })
})
