import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP has it in JSON, with the service that sent it. */
export interface CollectedSpan {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links?: readonly { readonly traceId: string }[]
  readonly attributes: Readonly<Record<string, string | undefined>>
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'service' | 'attributes'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

export interface TraceCollector {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  close(): Promise<void>
}

/** Receives spans by OTLP over HTTP, as a collector does. */
export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as Sent))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}`,
    spans,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  }
}

function spansOf({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = valuesOf(resource.attributes)['service.name'] ?? ''
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({ ...span, service, attributes: valuesOf(span.attributes) }))
  })
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))
}
