// A start takes 13 s of processor time, so these journeys share one stack. They run in this order: the cards first, because
// six digits of a card number are soon found by chance among much data.
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
