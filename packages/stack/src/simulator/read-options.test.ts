import { readScenarioOptions, readSimulatorOptions, settingsOf } from './read-options'

const read = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  readSimulatorOptions(args, environment)

test('takes the words behind -- as a command, with their flags', () => {
  const { command, environment } = read(['--port', 'auto', '--', 'npm', 'test', '--', '--port'])
  expect(command).toEqual(['npm', 'test', '--', '--port'])
  expect(environment['PORT']).toBe('0')
  expect(read([]).command).toEqual([])
})

test('plays the merchant of the environment, at its own port', () => {
  const { environment } = read([], { MPESA_SHORTCODE: '600000', PORT: '3000' })
  expect(environment).toMatchObject({ MPESA_SHORTCODE: '600000', PORT: '4010' })
})

test('sets what its flags say', () => {
  const { environment } = read(['--strict', '--whole-shillings', '--seed', 'a1'])
  expect(environment).toMatchObject({
    SIMULATOR_PROFILE: 'strict',
    MPESA_WHOLE_SHILLINGS: 'true',
    SEED: 'a1',
  })
  expect(read([]).environment).not.toHaveProperty('SIMULATOR_PROFILE')
})

test('refuses an invalid port, and a flag that it does not know', () => {
  expect(() => read(['--port', 'http'])).toThrow('--port must be a number, or auto')
  expect(() => read(['--fresh'])).toThrow('--fresh')
})

test('tells a shop where it is and which merchant it plays, and nothing else of the environment', () => {
  const { environment } = read([], { MPESA_SHORTCODE: '600000', TZ: 'Africa/Nairobi' })
  const settings = settingsOf('http://127.0.0.1:4010', environment)
  expect(settings).toMatchObject({
    SIMULATOR_URL: 'http://127.0.0.1:4010',
    MPESA_SHORTCODE: '600000',
    MPESA_CONSUMER_KEY: 'consumer-key',
  })
  expect(settings).not.toHaveProperty('TZ')
})

test('scenario takes files, where to report, and the shop behind --', () => {
  const args = ['a.yaml', '--junit', 'report.xml', 'b.yaml', '--strict', '--', 'node', 'shop.js']
  expect(readScenarioOptions(args, {})).toMatchObject({
    files: ['a.yaml', 'b.yaml'],
    junit: 'report.xml',
    url: undefined,
    schema: false,
    command: ['node', 'shop.js'],
    environment: { PORT: '0', SIMULATOR_PROFILE: 'strict' },
  })
})

test('scenario without a file is refused, unless it prints the grammar', () => {
  expect(() => readScenarioOptions([], {})).toThrow('scenario needs a FILE')
  expect(readScenarioOptions(['--schema'], {}).schema).toBe(true)
})
