import type { PinForgettingOutcome } from '@malipo/contracts/proto/accounts/v1/account_service'
import { askAccounts, type SigningAccounts } from './accounts'
import type { Done } from './done'

/** Asks to take a PIN away that its owner has lost, or locked for good; returns what is to be done next. */
export async function forgetPin(accounts: SigningAccounts, username: string): Promise<Done> {
  const { outcome } = await askAccounts(accounts, (calls) => calls.forgetPin({ username }))
  return message(username, outcome)
}

/** Approves the act that another operator asked for, or withdraws it. */
export async function decidePinForgetting(
  accounts: SigningAccounts,
  username: string,
  agreed: boolean,
): Promise<Done> {
  const { outcome } = await askAccounts(accounts, (calls) =>
    calls.decidePinForgetting({ username, agreed }),
  )
  return message(username, outcome)
}

const sentences = {
  PIN_FORGETTING_OUTCOME_ASKED: 'keeps its PIN until another operator agrees: pin approve',
  PIN_FORGETTING_OUTCOME_ASKED_BEFORE:
    'is asked for already, and keeps its PIN until another operator agrees: pin approve',
  PIN_FORGETTING_OUTCOME_FORGOTTEN:
    'has no PIN and is signed out everywhere; the hub asks for a new one',
  PIN_FORGETTING_OUTCOME_WITHDRAWN: 'keeps its PIN',
  PIN_FORGETTING_OUTCOME_NOT_ASKED:
    'keeps its PIN: no operator who is still enrolled asked for it in the last 24 hours; ask with pin forget',
  PIN_FORGETTING_OUTCOME_SAME_OPERATOR:
    'keeps its PIN: another operator than the one who asked has to agree',
  PIN_FORGETTING_OUTCOME_UNSPECIFIED: 'got an answer that this release does not know',
} as const satisfies Record<PinForgettingOutcome, string>

function message(username: string, outcome: PinForgettingOutcome): Done {
  const isDone = /_OUTCOME_(?:ASKED|FORGOTTEN|WITHDRAWN)$/.test(outcome)
  return { message: `${username} ${sentences[outcome]}`, isDone }
}
