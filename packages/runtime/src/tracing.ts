import type { Attributes, Context, Link, Span, SpanKind, Tracer } from '@opentelemetry/api'
import { z } from 'zod'
import { readEnvironment, webUrl } from './env'

/**
 * The settings of OpenTelemetry that we read. Without an endpoint nothing is traced, and no package of OpenTelemetry is
 * loaded.
 */
interface Settings {
  readonly endpoint: string
  readonly ratio: number
}

/** The share of traces that is kept unless OTEL_TRACES_SAMPLER_ARG says otherwise. */
const defaultRatio = 0.01

/** Spans wait for their export in a queue of this size; further spans are dropped. */
const batches = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 1_000 }

interface Loaded {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
}

let loaded: Loaded | undefined

/** Links the work of several processes to one request: our request id, and W3C Trace Context for tools. */
export interface Trace {
  readonly requestId: string
  /** W3C `traceparent`, version 00: the trace, and the span that is the parent of new spans. */
  readonly traceparent: string
  /** True when the trace began in this process, and has no span yet. */
  readonly isNew?: true
}

export interface SpanOptions {
  readonly kind: keyof typeof SpanKind
  readonly attributes?: Attributes
  /** A trace that led to this work but is not its own, such as that of the callback which settles a payment. */
  readonly link?: string | undefined
}

export interface OpenSpan {
  /** The span as the parent of others; undefined while tracing is off. */
  readonly traceparent: string | undefined
  end(ended: { readonly isError: boolean; readonly attributes?: Attributes }): void
}

const noSpan: OpenSpan = { traceparent: undefined, end: () => undefined }

/**
 * Begins a span below `trace`, unless the trace is not sampled. Without tracing it costs one comparison. Work outside
 * of any trace, such as a regular measurement, has no spans.
 */
export function startSpan(
  name: string,
  trace: Trace | undefined,
  { kind, attributes, link }: SpanOptions,
): OpenSpan {
  if (loaded === undefined || trace === undefined || !mayBeKept(trace)) return noSpan
  const { api, tracer } = loaded
  const span = tracer.startSpan(
    name,
    { kind: api.SpanKind[kind], links: linksTo(link), ...(attributes && { attributes }) },
    parentOf(loaded, trace),
  )
  return {
    traceparent: traceparentOf(span),
    end(ended) {
      if (ended.attributes) span.setAttributes(ended.attributes)
      if (ended.isError) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/**
 * A trace that began here may be kept, because the sampler decides at its first span. In the trace of a caller, the
 * sampled flag says whether the caller's span was kept.
 */
function mayBeKept({ isNew, traceparent }: Trace): boolean {
  return isNew === true || traceparent.endsWith('1')
}

/** The parent of a new span. In a trace that began in this process, the first span is the root and has no parent. */
function parentOf({ api }: Loaded, { isNew, traceparent }: Trace): Context {
  const parent = isNew === true ? undefined : spanContextOf(traceparent)
  if (parent === undefined) return api.ROOT_CONTEXT
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
}

function linksTo(traceparent: string | undefined): Link[] {
  const context = spanContextOf(traceparent)
  return context ? [{ context }] : []
}

function spanContextOf(traceparent: string | undefined) {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: flags.endsWith('1') ? 1 : 0 }
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${String(traceFlags & 1)}`
}

export function isTracing(): boolean {
  return loaded !== undefined
}

/**
 * Exports spans by OTLP over HTTP when OTEL_EXPORTER_OTLP_ENDPOINT is set. Whether a trace is kept follows from its id
 * alone, so all processes agree; the id is ours, so no caller can have its traces kept. The returned
 * function sends the last spans, and ends tracing.
 */
export async function startTracing(
  service: string,
  environment: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  const settings = readSettings(environment)
  if (settings === undefined) return () => Promise.resolve()
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${settings.endpoint}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new sdk.TraceIdRatioBasedSampler(settings.ratio),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...batches })],
  })
  loaded = { api, tracer: provider.getTracer('malipo') }
  return async () => {
    loaded = undefined
    await provider.shutdown()
  }
}

const variables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(defaultRatio),
})

function readSettings(environment: NodeJS.ProcessEnv): Settings | undefined {
  const read = readEnvironment(variables, environment)
  const endpoint = read.OTEL_EXPORTER_OTLP_ENDPOINT
  return endpoint === undefined ? undefined : { endpoint, ratio: read.OTEL_TRACES_SAMPLER_ARG }
}
