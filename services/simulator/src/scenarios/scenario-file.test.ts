import { readScenario, scenarioSchema } from './scenario-file'

test('reads YAML and JSON alike, and knows the line of each step', () => {
  const yaml = 'name: Paid\nsteps:\n  - pack: happy-path\n\n  - clock: { jump_ms: 2000 }\n'
  const json =
    '{\n"name": "Paid",\n"steps": [\n{"pack": "happy-path"},\n{"clock": {"jump_ms": 2000}}\n]\n}'
  const steps = [{ pack: 'happy-path' }, { clock: { jump_ms: 2_000 } }]
  for (const [text, lines] of [
    [yaml, [3, 5]],
    [json, [4, 5]],
  ] as const) {
    expect(readScenario(text)).toEqual({
      kind: 'scenario',
      scenario: { name: 'Paid', steps: steps.map((step, index) => ({ step, line: lines[index] })) },
    })
  }
})

test.each([
  ['no YAML', 'name: [\n', 2, /./],
  ['no steps', 'name: Paid\nsteps: []\n', 2, /steps/],
  [
    'an unknown step',
    'name: Paid\nsteps:\n  - pack: none\n  - pay: {}\n',
    4,
    /Unrecognized key: "pay"/,
  ],
  [
    'two steps in one',
    'name: Paid\nsteps:\n  - { pack: none, clock: {} }\n',
    3,
    /a step has one of phone, policy,/,
  ],
  [
    'an unknown event',
    'name: Paid\nsteps:\n  - expect:\n      event: paid\n',
    4,
    /steps.0.expect.event: Invalid option/,
  ],
  [
    'a number where text is meant',
    'name: Paid\nsteps:\n  - answer:\n      msisdn: 254711000001\n      action: approve\n',
    4,
    /expected string/,
  ],
])('a file with %s is refused at its line', (_, text, line, message) => {
  const read = readScenario(text)
  expect(read).toMatchObject({ kind: 'wrong', line })
  expect(read.kind === 'wrong' && read.message).toMatch(message)
})

test('the grammar is a JSON schema that describes every step', () => {
  expect(JSON.stringify(scenarioSchema())).toMatch(/"pay_bill":.*"expect":.*"book":/)
})
