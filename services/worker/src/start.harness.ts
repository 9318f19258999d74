import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApplyEvidenceRequest,
  type BeginQueryResponse,
  type BeginSubmitResponse,
  type ClaimDueResponse,
  type LedgerServiceServer,
  LedgerServiceService,
  type ReadProviderMessageResponse,
  type RecordSubmitRequest,
  type StoreProviderMessageRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { type Operations, serveGrpc } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'

/** What a scripted ledger hands out, by id, and what it was told, in order. */
export interface Script {
  readonly prompts: Map<string, BeginSubmitResponse['prompt']>
  readonly queries: Map<string, BeginQueryResponse['query']>
  readonly messages: Map<string, ReadProviderMessageResponse>
  readonly due: ClaimDueResponse['due']
  /** How many more calls of RecordSubmit find the ledger away. */
  recordSubmitAway: number
}

export type Told =
  | { readonly call: 'beginSubmit' | 'beginQuery' | 'readProviderMessage'; readonly id: string }
  | { readonly call: 'recordSubmit'; readonly request: RecordSubmitRequest }
  | { readonly call: 'storeProviderMessage'; readonly request: StoreProviderMessageRequest }
  | { readonly call: 'applyEvidence'; readonly request: ApplyEvidenceRequest }
  | { readonly call: 'daraja'; readonly path: string }

export async function openScriptedLedger(internalSecret: Buffer, told: Told[], script: Script) {
  const unused = () => Promise.reject(new Fault('internal'))
  const operations: Operations<LedgerServiceServer> = {
    openWallet: unused,
    createCheckout: unused,
    retrieveCheckout: unused,
    readCheckout: unused,
    startIntent: unused,
    readIntent: unused,
    beginSubmit({ intentId: id }) {
      told.push({ call: 'beginSubmit', id })
      const prompt = script.prompts.get(id)
      script.prompts.delete(id)
      return Promise.resolve({ prompt })
    },
    recordSubmit(request) {
      if (script.recordSubmitAway > 0) {
        script.recordSubmitAway -= 1
        return Promise.reject(new Fault('ledger_unavailable'))
      }
      told.push({ call: 'recordSubmit', request })
      return Promise.resolve({ status: 'INTENT_STATUS_PENDING' })
    },
    beginQuery({ intentId: id }) {
      told.push({ call: 'beginQuery', id })
      return Promise.resolve({ query: script.queries.get(id) })
    },
    storeProviderMessage(request) {
      told.push({ call: 'storeProviderMessage', request })
      return Promise.resolve({ messageId: `pm_${String(told.length)}` })
    },
    readProviderMessage({ messageId: id }) {
      told.push({ call: 'readProviderMessage', id })
      const message = script.messages.get(id)
      return message ? Promise.resolve(message) : Promise.reject(new Fault('internal'))
    },
    applyEvidence(request) {
      told.push({ call: 'applyEvidence', request })
      return Promise.resolve({ result: 'EVIDENCE_RESULT_KEPT', status: 'INTENT_STATUS_PENDING' })
    },
    claimDue: ({ limit }) => Promise.resolve({ due: script.due.splice(0, limit) }),
  }
  return serveGrpc({
    definition: LedgerServiceService,
    operations,
    internalSecret,
    host: '127.0.0.1',
    port: 0,
    log: openLog('scripted-ledger', 'silent'),
  })
}

/** Daraja as one recorded body a path. */
export async function openScriptedDaraja(told: Told[], answers: Map<string, string>) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://daraja').pathname
    if (path.startsWith('/oauth')) {
      response.end('{"access_token":"t","expires_in":"3599"}')
      return
    }
    told.push({ call: 'daraja', path })
    const file = join(
      __dirname,
      '../../../packages/rails/fixtures/mpesa',
      `${answers.get(path) ?? ''}.json`,
    )
    const { status, body } = JSON.parse(readFileSync(file, 'utf8')) as {
      status: number
      body: object
    }
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
