import { errors } from '@malipo/kernel/errors'
import { fixedPorts } from './ports'
import { type ServiceProgram, servicePrograms } from './programs'
import { makeSecrets } from './secrets'

/** The parts of README.md that are made from the code, between `<!-- name -->` and `<!-- /name -->`. */
const parts = { picture: drawPicture, errors: errorTable } as const

/** README.md with its generated parts as they have to be now. */
export function withGeneratedParts(readme: string): string {
  return Object.entries(parts).reduce((text, [name, make]) => {
    const between = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- /${name} -->)`)
    if (!between.test(text)) throw new Error(`README.md has no place for the ${name}`)
    return text.replace(between, (_, before: string, after: string) => `${before}${make()}${after}`)
  }, readme)
}

function errorTable(): string {
  const rows = Object.values(errors).map(
    ({ http, code, description, retry }) =>
      `| ${String(http)} | ${String(code)} | ${description} | ${retry ? 'yes' : 'no'} |`,
  )
  return ['| HTTP | Code | Meaning | Retry |', '|---|---|---|---|', ...rows].join('\n')
}

const address = (port: number) => `http://127.0.0.1:${String(port)}`
const postgres = address(fixedPorts.postgres.server)
const redis = address(fixedPorts.redis.server)

/**
 * Draws which process calls which, from the environments of `npm start`: a line for each address of another process. It
 * draws one country; the other looks the same and shares keys and auth.
 */
function drawPicture(): string {
  const { front, back } = servicePrograms({
    ports: fixedPorts,
    dir: '.stack',
    secrets: makeSecrets(),
    databases: { ledger_ke: postgres, ledger_ug: postgres, keys: postgres, accounts: postgres },
    redisUrl: redis,
    mtnMomoPlatform: 'legacy',
    isTillPaid: false,
    hasStandby: false,
    airtelApiVersion: 'v1',
  })
  const drawn = [...front, ...back].filter(({ name }) => !name.endsWith('-ug'))
  const lines = new Set(
    drawn.flatMap((program) => Object.values(program.env).flatMap(lineFrom(program))),
  )
  return [
    '```mermaid',
    'flowchart LR',
    `  merchant(["merchant's server"]) -->|REST| gateway`,
    `  payer(["payer's browser"]) -->|pages| gateway`,
    `  owner(["account owner's browser"]) -->|hub| auth`,
    ...[...lines].map((line) => `  ${line}`),
    '  postgres[(PostgreSQL)]',
    '  redis[(Redis)]',
    '```',
  ].join('\n')
}

/** The label of an arrow in the picture, by the kind of port that it leads to. */
const labels = {
  grpc: 'gRPC',
  server: '',
  public: 'provider API',
  callbacks: 'callbacks',
  admin: '',
} as const

function lineFrom(program: ServiceProgram) {
  return (value: string): string[] => {
    const port = Number(/^(?:http:\/\/)?127\.0\.0\.1:(\d+)$/.exec(value)?.[1])
    for (const [owner, ports] of Object.entries(fixedPorts)) {
      for (const [kind, number] of Object.entries(ports)) {
        if (number !== port || owner === program.name) continue
        if (kind === 'public' && !isProviderOf(program, owner)) continue
        const label = labels[kind as keyof typeof labels]
        // The worker only names this address to the provider, which calls it.
        const caller = kind === 'callbacks' ? 'simulator' : nodeOf(program.name)
        return [`${caller} -->${label && `|${label}|`} ${nodeOf(owner)}`]
      }
    }
    return []
  }
}

/** Only the worker calls a public address, that of a provider. The other public addresses are for browsers. */
function isProviderOf(program: ServiceProgram, owner: string): boolean {
  return owner === 'simulator' && program.name.startsWith('worker')
}

/** `ledger-ke` is drawn as the ledger of any country; a provider stands where the simulator is. */
function nodeOf(program: string): string {
  return program === 'simulator'
    ? 'simulator(["provider, or its simulator"])'
    : program.replace(/-(?:ke|ug)$/, '')
}
