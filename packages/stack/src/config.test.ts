import { readOptions } from './config'

describe('readOptions', () => {
  it('uses the folder .stack below the folder in which npm was called', () => {
    const options = readOptions([], { INIT_CWD: '/somewhere' })
    expect(options).toMatchObject({ dir: '/somewhere/.stack', fresh: false, ports: 'fixed' })
  })

  it('takes a folder, free ports and a fresh start', () => {
    const options = readOptions(['--fresh', '--ports', 'auto', '--dir', '/tmp/two'], {})
    expect(options).toMatchObject({ dir: '/tmp/two', fresh: true, ports: 'auto' })
  })

  it('refuses an unknown flag and an unknown way of choosing ports', () => {
    expect(() => readOptions(['--prots', 'auto'], {})).toThrow('--prots')
    expect(() => readOptions(['--ports', '5000'], {})).toThrow('must be fixed or auto')
  })

  it('has one or two replicas, and refuses another number', () => {
    expect(readOptions([], {}).replicas).toBe(1)
    expect(readOptions(['--replicas', '2'], {}).replicas).toBe(2)
    expect(() => readOptions(['--replicas', '3'], {})).toThrow('must be 1 or 2')
  })

  it('uses servers of the user, takes an empty variable for an absent one, and refuses another protocol', () => {
    expect(readOptions([], { DATABASE_URL: 'postgresql://db/x', REDIS_URL: '' })).toMatchObject({
      databaseUrl: 'postgresql://db/x',
      redisUrl: undefined,
    })
    expect(() => readOptions([], { REDIS_URL: 'http://no' })).toThrow('REDIS_URL')
  })

  it('the option --whole-shillings overrides the environment', () => {
    const { environment } = readOptions(['--whole-shillings'], { MPESA_WHOLE_SHILLINGS: 'false' })
    expect(environment).toEqual({ MPESA_WHOLE_SHILLINGS: 'true' })
  })

  it('passes settings of the services on, and no variables of npm', () => {
    const { environment } = readOptions([], { KEY_CACHE_SECONDS: '2', npm_config_cache: '/c' })
    expect(environment).toEqual({ KEY_CACHE_SECONDS: '2' })
  })
})
