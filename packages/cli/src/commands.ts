import { checkoutCommands } from './checkout-commands'
import type { Command } from './command'
import { doctor } from './doctor'
import { listen } from './listen'
import { openPage } from './open-page'
import { triggerPayment } from './trigger-payment'

/** The help lists the commands in this order. */
export const commands: readonly Command[] = [
  ...checkoutCommands,
  triggerPayment,
  listen,
  doctor,
  openPage,
]
