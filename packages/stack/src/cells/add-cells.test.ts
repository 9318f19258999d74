import { fixedPorts as ports } from '../ports'
import { servicePrograms } from '../programs'
import { replicate } from '../replicas/replicate'
import { makeSecrets } from '../secrets'
import { addCells } from './add-cells'

const url = (name: string) => `postgresql://127.0.0.1:4032/${name}`
const databases = {
  ...{ ledger_ke: url('ledger_ke'), ledger_ug: url('ledger_ug') },
  ...{ ledger_ke_cell_1: url('ledger_ke_cell_1'), ledger_ug_cell_1: url('ledger_ug_cell_1') },
  ...{ keys: url('keys'), accounts: url('accounts') },
}
const { front, back } = servicePrograms({
  ...{ ports, dir: '.stack', secrets: makeSecrets(), databases },
  redisUrl: 'redis://127.0.0.1:4079',
  ...{ mtnMomoPlatform: 'legacy', isTillPaid: false, hasStandby: false, airtelApiVersion: 'v1' },
})
const single = [...front, ...back]
const programs = addCells(single, { dir: '.stack', ports, databases })
const envOf = (name: string, of = programs) => of.find((one) => one.name === name)?.env ?? {}

describe('the second cell of each country', () => {
  it('adds one ledger and one worker in each country, and one console for both', () => {
    const added = programs.map(({ name }) => name).filter((name) => name.includes('cell'))
    expect(programs).toHaveLength(single.length + added.length)
    expect(added.sort()).toEqual([
      'console-cell-1',
      ...['ledger-ke-cell-1', 'ledger-ug-cell-1', 'worker-ke-cell-1', 'worker-ug-cell-1'],
    ])
  })

  it('listens on its own ports, and keeps its money in its own database', () => {
    const of = (names: readonly string[]) =>
      programs.flatMap(({ env }) => names.flatMap((name) => env[name] ?? []))
    const listening = of(['PORT', 'CALLBACK_PORT', 'GRPC_PORT', 'ADMIN_PORT'])
    expect(new Set(listening).size).toBe(listening.length)
    const ledgers = programs.filter(({ service }) => service === 'ledger')
    expect(new Set(ledgers.map(({ env }) => env['DATABASE_URL'])).size).toBe(4)
    expect(new Set(ledgers.map(({ env }) => env['COPY_MARK_FILE'])).size).toBe(4)
    expect(ledgers.map(({ env }) => env['CELL']).sort()).toEqual(['0', '0', '1', '1'])
  })

  it('is in the settings of its gateway and of auth, has its own callback address, and in Kenya its own short code', () => {
    const ledger = `127.0.0.1:${String(ports['ledger-ug-cell-1'].grpc)}`
    expect(envOf('gateway-ug')['LEDGER_CELLS']).toBe(ledger)
    expect(envOf('gateway-ug')['MPESA_SHORTCODE_CELLS']).toBeUndefined()
    expect(envOf('auth')['LEDGER_UG_CELLS']).toBe(ledger)
    expect(envOf('worker-ug-cell-1')).toMatchObject({
      ...{ CELL: '1', COUNTRY: 'ug', LEDGER_ADDRESS: ledger },
      CALLBACK_BASE_URL: `${envOf('worker-ug')['CALLBACK_BASE_URL'] ?? ''}/cells/1`,
    })
    const number = envOf('worker-ke-cell-1')['MPESA_SHORTCODE']
    expect(number).not.toBe(envOf('worker-ke')['MPESA_SHORTCODE'])
    expect(envOf('gateway-ke')['MPESA_SHORTCODE_CELLS']).toBe(number)
    expect(envOf('simulator')['MPESA_SHORTCODE_CELLS']).toBe(number)
  })

  it('has no replicas, even if the first cell has them', () => {
    const both = addCells(replicate(single, ports), { dir: '.stack', ports, databases })
    expect(both.filter(({ name }) => name.includes('cell'))).toHaveLength(5)
    expect(envOf('ledger-ke-2', both)['CELL']).toBe('0')
    expect(envOf('gateway-ke-2', both)['LEDGER_CELLS']).toBe(envOf('gateway-ke')['LEDGER_CELLS'])
  })
})
