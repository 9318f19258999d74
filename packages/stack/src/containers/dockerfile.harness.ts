import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { repositoryDir } from '../migrate'

/** Settings by which a build reuses what the set-up of this clone has just done with the same sources. */
const fromSetUp = {
  // Turbo fetches what the set-up has built, by its hash.
  TURBO_CACHE_DIR: join(repositoryDir, '.turbo/cache'),
  // The set-up has asked the registry how old each locked version is. Ten deploys would each ask again, for five
  // seconds.
  pnpm_config_trust_lockfile: 'true',
}

interface Instruction {
  readonly name: string
  readonly rest: string
}

interface Stage {
  readonly name: string
  readonly from: string
  readonly instructions: readonly Instruction[]
}

/** The result of a stage: a folder that stands for the image's root, and how a container of it would start. */
export interface Built {
  readonly root: string
  readonly workDir: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Runs the steps of a Dockerfile in folders instead of images, for machines without a container engine. It knows the
 * instructions that ours uses, and refuses any other. A stage that begins FROM another stage goes on in its folder.
 */
export function openDockerfile(path: string, dir: string) {
  const stages = parse(readFileSync(path, 'utf8'))
  const outcomes = new Map<string, Built | Error>()
  const run = (name: string, variant: string, args: Record<string, string>): Built => {
    const stage = stages.find((stage) => stage.name === name)
    if (!stage) throw new Error(`The Dockerfile has no stage ${name}`)
    const isOnStage = stages.some(({ name }) => name === stage.from)
    let state: Built = isOnStage
      ? build(stage.from)
      : { root: join(dir, `${name}${variant}`), workDir: '/', command: [], environment: {} }
    for (const instruction of stage.instructions) {
      state = step(state, instruction, { args, copyFrom: (from) => build(from, variant, args) })
    }
    return state
  }
  /** Each stage runs once for each `variant` of its arguments. A stage that failed is not tried again. */
  const build = (name: string, variant = '', args: Record<string, string> = {}): Built => {
    const key = `${name}${variant}`
    const outcome = outcomes.get(key) ?? attempt(() => run(name, variant, args))
    outcomes.set(key, outcome)
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  return { build }
}

function attempt(work: () => Built): Built | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

interface Around {
  readonly args: Record<string, string>
  copyFrom(stage: string): Built
}

function step(state: Built, { name, rest }: Instruction, around: Around): Built {
  switch (name) {
    case 'WORKDIR':
      mkdirSync(join(state.root, rest), { recursive: true })
      return { ...state, workDir: rest }
    case 'ENV':
      return { ...state, environment: { ...state.environment, ...assignments(rest) } }
    case 'ENTRYPOINT':
    case 'CMD':
      return { ...state, command: JSON.parse(rest) as string[] }
    case 'COPY':
      copy(state, rest, around)
      return state
    case 'RUN':
      run(state, rest.replaceAll(/--mount=\S+\s+/g, ''), around.args)
      return state
    case 'ARG':
    case 'USER':
      return state
    default:
      throw new Error(`This stand-in for a container engine does not know ${name}`)
  }
}

function copy(state: Built, rest: string, around: Around): void {
  const [, stage, source = '', target = ''] = /^(?:--from=(\S+)\s+)?(\S+)\s+(\S+)$/.exec(rest) ?? []
  const to = resolve(join(state.root, state.workDir), target)
  if (stage === undefined) copyContext(to)
  // Moved, not copied: no other image needs these files, and the next variant of the stage writes to the same folder.
  else renameSync(join(around.copyFrom(stage).root, source), to)
}

/** `COPY . .`: the whole clone, without what .dockerignore leaves out. */
function copyContext(to: string): void {
  const ignored = readFileSync(join(repositoryDir, '.dockerignore'), 'utf8').trim().split('\n')
  const patterns = ignored.map(asPattern)
  const filter = (path: string) => {
    const name = relative(repositoryDir, path)
    return !patterns.some((pattern) => pattern.test(name))
  }
  cpSync(repositoryDir, to, { recursive: true, filter })
}

/** `**` + `/dist` -> any file in any folder dist; `*` stops at a slash. */
function asPattern(glob: string): RegExp {
  const text = glob
    .replaceAll('.', '\\.')
    .replaceAll('**/', '(?:.*/)?')
    .replaceAll(/(?<![.)])\*/g, '[^/]*')
  return new RegExp(`^${text}(?:/.*)?$`)
}

function run(state: Built, script: string, args: Record<string, string>): void {
  const { PATH = '', HOME = '' } = process.env
  const ran = spawnSync('sh', ['-ec', script], {
    cwd: join(state.root, state.workDir),
    encoding: 'utf8',
    env: { PATH, HOME, ...fromSetUp, ...state.environment, ...args },
  })
  if (ran.status !== 0) throw new Error(`RUN ${script}\n${ran.stdout}\n${ran.stderr}`)
}

function assignments(text: string): Record<string, string> {
  return Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('=') as [string, string]))
}

function parse(text: string): Stage[] {
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line))
  const stages: { name: string; from: string; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, from, stage] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? []
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (from !== undefined) stages.push({ name: stage ?? '', from, instructions: [] })
    else stages.at(-1)?.instructions.push({ name, rest })
  }
  return stages
}
