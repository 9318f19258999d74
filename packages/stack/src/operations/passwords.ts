import { askAccounts, type SigningAccounts } from './accounts'
import type { Done } from './done'

/** Makes a code for an owner who has lost the password; returns it, and what is to be done next. */
export async function givePasswordCode(accounts: SigningAccounts, username: string): Promise<Done> {
  const { code, otherOperator } = await askAccounts(accounts, (calls) =>
    calls.givePasswordCode({ username }),
  )
  const next =
    otherOperator === ''
      ? `It takes a second code: another operator runs password code ${username}.`
      : `It works together with the code of ${otherOperator}.`
  const message = `Code for the owner of ${username}, shown once, for an hour: ${code}\n${next}`
  return { message, isDone: true }
}
