import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** The addresses of every name, of both families; `unknown`: there is no such name; `silent`: no answer comes. */
export type Addresses = readonly string[] | 'unknown' | 'silent'

export interface NameServer {
  readonly address: string
  stop(): void
}

/** A name server that knows each name as an alias of one host. `addressesOf` is called for each question. */
export async function openNameServer(
  addressesOf: (family: 4 | 6) => Addresses,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const questionEnd = query.indexOf(0, headerBytes) + 5
    const family = query.readUInt16BE(questionEnd - 4) === typeOf(6) ? 6 : 4
    const addresses = addressesOf(family)
    if (addresses === 'silent') return
    socket.send(answerTo(query.subarray(0, questionEnd), family, addresses), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${String(socket.address().port)}`,
    stop() {
      socket.close()
    },
  }
}

const headerBytes = 12
const typeOf = (family: number) => (family === 6 ? 28 : 1)
const aliasType = 5
/** A pointer to the name in the question, by its place in the message. */
const nameInQuestion = Buffer.from('c00c', 'hex')
const host = Buffer.from('\u0004host\u0007example\u0000', 'latin1')

function answerTo(query: Buffer, family: 4 | 6, addresses: readonly string[] | 'unknown'): Buffer {
  const own = addresses === 'unknown' ? [] : addresses.filter((one) => isIP(one) === family)
  const records = own.map((one) => record(host, typeOf(family), bytesOf(one)))
  if (records.length > 0) records.unshift(record(nameInQuestion, aliasType, host))
  const answer = Buffer.concat([query, ...records])
  answer.writeUInt16BE(addresses === 'unknown' ? 0x81_83 : 0x81_80, 2)
  answer.writeUInt16BE(records.length, 6)
  // The query may have additional records (EDNS), which the answer leaves out, so its count of them is 0.
  answer.writeUInt16BE(0, 10)
  return answer
}

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const rest = Buffer.alloc(10)
  rest.writeUInt16BE(type, 0)
  // The class IN, the internet.
  rest.writeUInt16BE(1, 2)
  rest.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, rest, data])
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return bytesOf(`::${address}`).subarray(12)
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const end = hexOf(tail)
  return Buffer.from(hexOf(head).padEnd(32 - end.length, '0') + end, 'hex')
}

function hexOf(groups: string): string {
  return groups.replaceAll(/[0-9a-f]+/g, (group) => group.padStart(4, '0')).replaceAll(':', '')
}
