import {
  type ApplyEvidenceRequest,
  FailureCause,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import type { Pool } from 'pg'
import { callbackToken } from '../../database/ids'
import { amounts } from '../simulation/setting.harness'
import { handleName } from '../simulation/starts.harness'
import type { StartInput, Reported } from '../simulation/tables.harness'
import { openPayBillSignature } from '../../pay-bill/store/pay-bill-numbers'
import { readAccountNumber } from '../../pay-bill/rules/pay-bill'
import { insist, present } from '../../payments.harness'
import { payBillNumberKey } from '../../pay-bill/pay-bill.harness'
import type { RunningLedger } from '../../start.harness'
import type { PlayedWorld } from './group.harness'
import { lineOf, outcomeOf, payeeOf, startAttempt } from './calls.harness'
import type { Command, OwnCommand, Taped } from './tape.harness'

interface Attempt {
  readonly id: string
  /** Undefined for a card, as messages of the card gateway name their attempt. */
  readonly token: string | undefined
  readonly reference: string
}

const signature = openPayBillSignature(payBillNumberKey)
const kinds = {
  callback: ProviderMessageKind.CALLBACK,
  query_answer: ProviderMessageKind.QUERY_ANSWER,
  statement_row: ProviderMessageKind.STATEMENT_ROW,
} as const

/** Makes the calls of a simulated world to a real ledger, and remembers the real id of each number in the world. */
export class Player {
  readonly world: PlayedWorld
  readonly checkouts: string[] = []
  readonly numbers: string[] = []
  readonly attempts = new Map<number, Attempt>()
  readonly messages: string[] = []
  /** The calls that the real ledger answered differently. */
  readonly differences: string[] = []
  private readonly bodies = new Map<Reported, number>()
  private readonly owner: Pool

  constructor(world: PlayedWorld, owner: Pool) {
    this.world = world
    this.owner = owner
  }

  accountId(checkoutId: number | string): string {
    return `w${String(this.world.seed)}-m${String(checkoutId)}`
  }

  phone(phone: number): string {
    return `254${String(this.world.seed).padStart(9, '0')}${String(phone)}`
  }

  receipt(receipt: string): string {
    return `W${String(this.world.seed)}${receipt}`
  }

  requestId(requestId: number | undefined): string | undefined {
    return requestId === undefined
      ? undefined
      : `ws_${String(this.world.seed)}_${String(requestId)}`
  }

  /** The checkouts of the world, each of a different account. */
  async open(ledger: RunningLedger): Promise<void> {
    const { setting } = this.world
    for (let id = 0; id < setting.checkouts; id += 1) {
      const accountId = this.accountId(id)
      await insist(() => ledger.openWallet({ accountId, cardEnabled: setting.takesCards }))
      const endpointId = `we_${String(this.world.seed * 16 + id).padStart(24, '0')}`
      await insist(() => ledger.switchWebhookOn({ accountId, endpointId }))
      const amountMinor = amounts[setting.amounts][id] ?? 100n
      const { checkout } = await insist(() =>
        ledger.createCheckout({ accountId, fingerprint: Buffer.alloc(32, id), amountMinor }),
      )
      const { checkoutId } = present(checkout)
      this.checkouts.push(checkoutId)
      if (setting.country === 'ke') {
        const read = await insist(() => ledger.readCheckout({ checkoutId }))
        this.numbers.push(present(present(read.checkout).payBillAccountNumber))
      }
    }
  }

  async play(ledger: RunningLedger, command: OwnCommand & Taped): Promise<void> {
    const expected = 'answer' in command ? answerOf(command) : undefined
    // After the first difference the real ledger is in another state than the world, and further answers mean nothing.
    if (this.differences.length > 0) return
    const answer = await this.ask(ledger, command).catch((error: unknown) =>
      // A busy machine may answer too late once.
      reasonOf(error) === unavailable ? this.ask(ledger, command).catch(String) : String(error),
    )
    if (answer === expected) return
    this.differences.push(
      `${command.do}: ${lineOf(command)} was answered ${String(answer)}, and not ${String(expected)}`,
    )
  }

  private async ask(ledger: RunningLedger, command: OwnCommand): Promise<unknown> {
    switch (command.do) {
      case 'freeze':
        await this.owner.query(
          `UPDATE wallets SET frozen_at = CASE WHEN $2 THEN set_clock.clock_timestamp() END WHERE account_id = $1`,
          [this.accountId(command.checkoutId), command.isFrozen],
        )
        return undefined
      case 'start':
        return this.start(ledger, command.request, command.answer.intentId)
      case 'begin_submit':
        return this.beginSubmit(ledger, command.intentId)
      case 'record_submit':
        await ledger.recordSubmit({
          intentId: await this.idOf(command.intentId),
          outcome: outcomeOf(command.outcome, {
            requestId: this.requestId(command.requestId),
            isByCard: this.world.ledger.intents[command.intentId]?.page !== undefined,
          }),
        })
        return undefined
      case 'begin_query': {
        const intentId = await this.idOf(command.intentId)
        return (await ledger.beginQuery({ intentId })).query !== undefined
      }
      case 'receive':
        return this.receive(ledger, command)
      case 'apply': {
        const { id, reported, intentId } = command.message
        const fact = intentId === undefined ? this.paidOf(reported) : this.factOf(reported)
        const messageId = present(this.messages[id])
        return wordOf('EVIDENCE_RESULT', (await ledger.applyEvidence({ messageId, fact })).result)
      }
    }
  }

  attempt(intentId: number): Attempt {
    return present(this.attempts.get(intentId))
  }

  /**
   * Returns the id of an attempt. One that was created for its money was not started, so it is found by the receipt.
   */
  private async idOf(number: number): Promise<string> {
    const known = this.attempts.get(number)
    if (known !== undefined) return known.id
    const receipt = this.receipt(this.world.ledger.intents[number]?.settled?.receipt ?? '')
    const { rows } = await this.owner.query<{ id: string }>(
      'SELECT id FROM intents WHERE receipt = $1',
      [receipt],
    )
    return present(rows[0]).id
  }

  private async start(
    ledger: RunningLedger,
    request: StartInput,
    expectedId: number | undefined,
  ): Promise<string> {
    const started = await startAttempt(ledger, request, {
      ...{ checkoutId: this.checkouts[request.checkoutId] ?? '', accountId: this.accountId(0) },
      phone: this.phone(request.phone),
    }).catch((error: unknown) => {
      const reason = reasonOf(error)
      if (reason === undefined || reason === unavailable) throw error
      return reason
    })
    if (typeof started === 'string') return started
    const { outcome, intentId } = started
    if (outcome === 'started' && expectedId !== undefined) await this.learn(expectedId, intentId)
    const known = [...this.attempts].find(([, { id }]) => id === intentId)
    return `${outcome} ${String(known?.[0])}`
  }

  /** Reads an attempt's token and reference, which the start of the attempt does not return. A card has neither. */
  private async learn(number: number, id: string): Promise<void> {
    const { rows } = await this.owner.query<{ secret: string | null; reference: string | null }>(
      'SELECT callback_secret AS secret, attempt_reference AS reference FROM intents WHERE id = $1',
      [id],
    )
    const { secret, reference } = present(rows[0])
    const token = secret === null ? undefined : callbackToken(id, secret)
    this.attempts.set(number, { id, reference: reference ?? '', token })
  }

  private async beginSubmit(ledger: RunningLedger, number: number): Promise<boolean | string> {
    const { prompt } = await ledger.beginSubmit({ intentId: await this.idOf(number) })
    if (prompt === undefined) return false
    const { askedMinor, page } = present(this.world.ledger.intents[number])
    const answer = askedMinor + (page?.feeMinor ?? 0n)
    const minor = page === undefined ? prompt.amount?.minor : prompt.card?.totalMinor
    return minor === answer || `a prompt of ${String(minor)}`
  }

  private async receive(
    ledger: RunningLedger,
    { received, answer: number }: Extract<Command, { readonly do: 'receive' }>,
  ): Promise<number> {
    const { kind, reported, intentId, isSourceKnown } = received
    const body = this.bodies.get(reported) ?? this.bodies.size
    this.bodies.set(reported, body)
    const { messageId } = await ledger.storeProviderMessage({
      rail: intentId === undefined ? Rail.PAYBILL : Rail.UNSPECIFIED,
      kind: kinds[kind],
      subject: this.subjectOf(kind, intentId),
      body: Buffer.from(`${String(this.world.seed)} ${String(body)}`),
      sourceAddress: isSourceKnown ? '196.201.214.200' : '203.0.113.7',
      sourceKnown: isSourceKnown,
    })
    this.messages[number] ??= messageId
    return this.messages.indexOf(messageId)
  }

  private subjectOf(kind: keyof typeof kinds, intentId: number | undefined) {
    if (intentId === undefined) return undefined
    const { id, token } = this.attempt(intentId)
    return kind === 'callback' && token !== undefined
      ? ({ $case: 'callbackToken', value: token } as const)
      : ({ $case: 'intentId', value: id } as const)
  }

  private factOf(reported: Reported): ApplyEvidenceRequest['fact'] {
    const providerRequestId = this.requestId(reported.requestId)
    const providerCode = String(reported.code ?? '')
    switch (reported.kind) {
      case 'receipt':
      case 'paid': {
        const receipt = reported.receipt === undefined ? undefined : this.receipt(reported.receipt)
        const value = { receipt, amountMinor: reported.minor, providerRequestId }
        return { $case: 'confirmed', value }
      }
      case 'declined': {
        const value = { cause: FailureCause.CANCELLED, providerCode, providerRequestId }
        return { $case: 'declined', value }
      }
      case 'undecided':
        return { $case: 'undecided', value: { providerCode } }
      case 'not_found':
        return { $case: 'notFound', value: { providerCode } }
      case 'unreadable':
        return { $case: 'unreadable', value: { detail: 'no JSON' } }
    }
  }

  private paidOf(reported: Reported): ApplyEvidenceRequest['fact'] {
    const accountNumber = this.accountOf(reported.account ?? '')
    const receipt = this.receipt(reported.receipt ?? '')
    const amountMinor = reported.minor ?? 0n
    const account = readAccountNumber(accountNumber)
    const thirdPartyId =
      reported.isSigned === true ? signature.sign({ receipt, amountMinor, account }) : undefined
    const payee = reported.account === handleName ? payeeOf(this.accountId(0)) : undefined
    const value = { receipt, amountMinor, accountNumber, thirdPartyId, payeeUnknown: false, payee }
    return { $case: 'payBillPaid', value }
  }

  /** What a payer types: the number of a checkout, the reference of an attempt, or a word. */
  private accountOf(account: string): string {
    const { checkouts, intents } = this.world.ledger
    const checkout = checkouts.find(({ payBillNumber }) => payBillNumber === account)
    if (checkout !== undefined) return present(this.numbers[checkout.id])
    const attempt = intents.find(({ reference }) => reference === account && account !== '')
    return attempt === undefined ? account : this.attempt(attempt.id).reference
  }
}

function answerOf({ do: what, answer }: Extract<OwnCommand, { readonly answer: unknown }>) {
  if (what !== 'start') return answer
  const { outcome, intentId } = answer
  return intentId === undefined ? outcome : `${outcome} ${String(intentId)}`
}

const unavailable = 'ledger_unavailable'

function reasonOf(error: unknown): string | undefined {
  const { reason } = error as { readonly reason?: unknown }
  return typeof reason === 'string' ? reason : undefined
}
