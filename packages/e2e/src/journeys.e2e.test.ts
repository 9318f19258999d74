// Starting a stack takes 13 s of processor time, so these journeys share one. They run in this order. The card journey
// is first, because it searches all data for six digits of card numbers, which much data would contain by chance.
import './card.journey.test'
import './cli.journey.test'
import './hub.journey.test'
import './hub-windows.journey.test'
import './handles.journey.test'
import './payer-page.journey.test'
import { journeyStack } from './journey-stack'

afterAll(async () => {
  await (await journeyStack()).close()
})
