interface Frame {
  readonly functionName: string
  readonly url: string
}

/** The fields of V8's profiles that are read here; times are microseconds of the monotonic clock. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: Frame
    readonly children?: readonly number[]
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Returns the milliseconds spent in each part of the code between two moments, without idle time. */
export function partsOf(profile: Profile, fromUs: number, untilUs: number): Map<string, number> {
  const partOf = partsByNode(profile)
  const parts = new Map<string, number>()
  let atUs = profile.startTime
  for (const [place, node] of profile.samples.entries()) {
    const tookUs = profile.timeDeltas[place] ?? 0
    atUs += tookUs
    if (atUs < fromUs || atUs > untilUs) continue
    const part = partOf.get(node)
    if (part === undefined) continue
    parts.set(part, (parts.get(part) ?? 0) + tookUs / 1_000)
  }
  return parts
}

/**
 * Returns the part of the code for each node of a profile. A built-in function has no file, so it counts for its
 * caller. Idle nodes are left out.
 */
function partsByNode({ nodes }: Profile): ReadonlyMap<number, string> {
  const parents = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  )
  const parts = new Map<number, string>()
  for (const node of nodes) {
    let frame: Frame | undefined = node.callFrame
    for (let up = parents.get(node.id); frame.url === '' && up; up = parents.get(up.id)) {
      if (isOfEngine(frame)) break
      frame = up.callFrame
    }
    const part = partOfFrame(frame)
    if (part !== undefined) parts.set(node.id, part)
  }
  return parts
}

const isOfEngine = ({ functionName }: Frame) => functionName.startsWith('(')

const engine: Readonly<Record<string, string | undefined>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code: sockets, TLS, system calls',
  '(idle)': undefined,
}

const ofNode: readonly (readonly [RegExp, string])[] = [
  [/http2/, 'Node: HTTP/2'],
  [/_http|http/, 'Node: HTTP'],
  [/net|stream|tls|dgram/, 'Node: sockets and streams'],
  [/timers|task_queues/, 'Node: timers and microtasks'],
  [/async_hooks|async_local/, 'Node: async context'],
  [/buffer|encoding/, 'Node: buffers'],
  [/crypto/, 'Node: crypto'],
]

const ofPackages: readonly (readonly [RegExp, string])[] = [
  [/@grpc|protobufjs|@protobufjs/, 'gRPC'],
  [/pg|postgres/, 'pg'],
  [/prisma/, 'Prisma'],
  [/bullmq|ioredis|redis|msgpackr/, 'BullMQ and ioredis'],
  [/pino|sonic-boom|thread-stream|safe-stable/, 'pino'],
  [/express|router|body-parser|finalhandler|send|qs/, 'Express'],
  [/opentelemetry/, 'OpenTelemetry'],
  [/prom-client|tdigest/, 'metrics'],
]

function partOfFrame({ functionName, url }: Frame): string | undefined {
  if (url === '') return functionName in engine ? engine[functionName] : 'Node: other'
  if (url.startsWith('node:')) return find(ofNode, url, 'Node: other')
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (installed !== undefined) return find(ofPackages, installed, 'other packages')
  return url.includes('/contracts/dist/proto/') ? 'messages: written and read' : 'our own code'
}

const find = (parts: typeof ofNode, text: string, otherwise: string) =>
  parts.find(([pattern]) => pattern.test(text))?.[1] ?? otherwise
