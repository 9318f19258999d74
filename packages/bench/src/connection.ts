import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire, whole; undefined when the connection ended without one. */
type Done = (answer: Buffer | undefined) => void

/**
 * The client renews its connection after this many requests, between two of them, because the server closes one after
 * 1,000.
 */
const requestsMax = 900
const headEnd = '\r\n\r\n'
const lengthName = 'Content-Length: '
const lastChunk = '\r\n0\r\n\r\n'

/**
 * A connection that has one request in flight at most, without a library between it and the socket: a load generator on
 * the machine that it measures must be cheap.
 */
export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #asked = 0
  #received: Buffer | undefined
  #done: Done | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Opens the connection ahead of its first request; resolves once it is established. */
  async open(): Promise<void> {
    this.#socket ??= this.#open()
    if (this.#socket.connecting) await once(this.#socket, 'connect')
  }

  ask(request: Buffer, done: Done): void {
    if (this.#asked >= requestsMax) this.close()
    this.#asked += 1
    this.#done = done
    this.#socket ??= this.#open()
    this.#socket.write(request)
  }

  /** Closes the connection. A request in flight gets no answer. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#asked = 0
    this.#finish(undefined)
  }

  #open(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    socket.on('data', (chunk) => {
      this.#take(chunk)
    })
    // The error needs no handling here: the caller sees that its answer is missing.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#socket === socket) this.close()
    })
    return socket
  }

  #take(chunk: Buffer): void {
    const received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk])
    if (isWhole(received)) this.#finish(received)
    else this.#received = received
  }

  #finish(answer: Buffer | undefined): void {
    const done = this.#done
    this.#done = undefined
    this.#received = undefined
    done?.(answer)
  }
}

function isWhole(received: Buffer): boolean {
  const end = received.indexOf(headEnd)
  if (end === -1) return false
  const at = received.indexOf(lengthName)
  if (at === -1 || at > end) return received.includes(lastChunk, end)
  const length = Number(
    received.toString('latin1', at + lengthName.length, received.indexOf('\r', at)),
  )
  return received.length >= end + headEnd.length + length
}

export function statusOf(answer: Buffer): number {
  return Number(answer.toString('latin1', 9, 12))
}

export function saysWhenToRetry(answer: Buffer): boolean {
  return answer.includes('\r\nRetry-After: ')
}

/** Returns the JSON object in the body of an answer, as text; the body may be chunked. */
export function bodyOf(answer: Buffer): string {
  const start = answer.indexOf('{', answer.indexOf(headEnd))
  return answer.toString('utf8', start, answer.lastIndexOf('}') + 1)
}

interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The client's address, as our proxy would report it. */
  readonly from: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Returns the bytes of an HTTP request. */
export function requestOf({ method, path, from, headers = {}, body }: OutgoingRequest): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const all = {
    Host: 'bench.example',
    'X-Forwarded-For': from,
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(payload)),
    }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`)
}

/** The n-th client address, of the network that is set aside for private use. */
export function addressOf(index: number): string {
  return `10.${[16, 8, 0].map((bits) => String((index >> bits) & 255)).join('.')}`
}
