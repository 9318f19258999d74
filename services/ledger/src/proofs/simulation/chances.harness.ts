import type { ActionName } from './setting.harness'
import type { World } from './world.harness'

const chances: Readonly<Partial<Record<ActionName, (world: World) => boolean>>> = {
  submit: ({ ledger }) => ledger.intents.some(({ status }) => status === 'reserved'),
  record: ({ worker }) => worker.calls.length > 0,
  payByCard: ({ setting }) => setting.takesCards,
  approve: (world) => world.payable().length > 0,
  leave: ({ book }) => book.prompts.some(({ rail }) => rail === 'card'),
  refuse: (world) => world.refusable().length > 0,
  deliver: ({ air }) => air.length > 0,
  lose: ({ air }) => air.length > 0,
  read: ({ unread }) => unread.length > 0,
  sweep: ({ ledger }) => ledger.isDue(),
  expire: ({ ledger }) => ledger.intents.some(({ deadlineAt }) => deadlineAt <= ledger.now),
  forge: ({ ledger }) => ledger.intents.length > 0,
  payBill: ({ setting }) => setting.country === 'ke',
  reset: ({ setting }) => setting.amounts === 'cents',
}

/** Whether there is anything for an action to happen to. */
export function isPossible(world: World, name: ActionName): boolean {
  return chances[name]?.(world) ?? true
}
