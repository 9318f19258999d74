import { ask } from './ask'

/** The number of a simulated phone that approves each prompt after a second, so three lines of curl make a payment. */
export const autoApprovingPhone = '254711000222'

const phone = {
  msisdn: autoApprovingPhone,
  name: 'Wanjiku (pays by herself)',
  balance: '100000000',
  policy: { answer: 'approve', after_ms: 1_000 },
}

export async function addAutoApprovingPhone(simulatorUrl: string): Promise<void> {
  const { status, body } = await ask(`${simulatorUrl}/sim/v1/phones`, 5_000, phone)
  // 409: it is there already.
  if (status !== 201 && status !== 409) throw new Error(`The simulator refused a phone: ${body}`)
}
