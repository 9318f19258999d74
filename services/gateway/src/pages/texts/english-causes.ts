import type { CauseTexts, RailCauseTexts } from './texts'

export const englishCauses: CauseTexts = {
  wrong_pin: () => ['Wrong PIN', 'Try again with care: too many wrong PINs lock your account.'],
  no_funds: (rail) => [
    `Not enough money in your ${rail}`,
    'Your balance did not cover the amount and the fee. Top up, or pay from another phone.',
  ],
  cancelled: () => ['The prompt was cancelled', 'If that was not what you wanted, try again.'],
  no_answer: () => [
    'The prompt was not answered in time',
    'Keep your phone on, unlocked and in reach of the network, and try again.',
  ],
  prompt_expired: () => ['The request timed out', 'Have your phone at hand and try again.'],
  session_open: (rail) => [
    'Another request was open on your phone',
    `So this one did not go through. Finish or close the other one, wait two minutes, and try again. ${rail} takes one at a time.`,
  ],
  too_soon: (rail) => [
    'Too soon after your last payment',
    `${rail} takes the same amount from one phone only once in two minutes. Wait two minutes, then try again.`,
  ],
  busy: (rail) => [`${rail} is busy`, 'Wait a minute and try again.'],
  over_limit: (rail) => [
    'The amount is outside your limits',
    `It is less or more than ${rail} lets this number send now. Pay in another way, or try tomorrow if you have sent much today.`,
  ],
  not_registered: (rail) => [
    `This number has no ${rail}`,
    'Check the digits, or use a number that is registered.',
  ],
  locked: (rail) => [
    'Your PIN is locked',
    `${rail} customer care can unlock it. You can also pay from another phone.`,
  ],
  card_declined: () => [
    'The card was declined',
    'The bank of the card did not agree. Try another card, or pay by phone.',
  ],
  card_expired: () => ['The card has expired', 'Use another card, or pay by phone.'],
  card_not_authenticated: () => [
    'Your bank did not confirm that it is you',
    'Try again and follow what your bank asks for, or pay in another way.',
  ],
  not_started: (rail) => [
    'The prompt was not sent',
    `We could not reach ${rail} in time. Try again.`,
  ],
  refused: (rail) => [
    `${rail} did not take the request`,
    'This is not your mistake. Try again in a few minutes, or ask for another way to pay.',
  ],
  unknown: () => ['The payment did not go through', 'Look at your messages before you try again.'],
}

export const englishRailCauses: RailCauseTexts = {
  mtn_momo: {
    no_funds: (rail) => [
      `${rail} did not take the payment`,
      'Check that your balance covers the amount and the fee, and have your PIN right. Then try again.',
    ],
  },
  airtel_money: {
    refused: (rail) => [
      `${rail} did not take the request`,
      `It did not say why. Try again in a few minutes. If it happens again, ask ${rail} customer care, or pay in another way.`,
    ],
  },
}
