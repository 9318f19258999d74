import type { Texts } from './texts'

export const english: Texts = {
  lang: 'en',
  rails: {
    mpesa: 'M-PESA',
    mtn_momo: 'MTN MoMo',
    airtel_money: 'Airtel Money',
    card: 'your card',
    paybill: 'M-PESA',
  },
  anyRail: 'Mobile money',
  unknownPayee: 'the merchant',
  start: {
    title: (payee) => `Pay ${payee}`,
    phone: (rail) => `${rail} phone number`,
    hint: 'A prompt will come to this phone. You approve it there with your PIN.',
    network: 'Network',
    networkByNumber: 'As the number says',
    pay: (amount) => `Pay ${amount}`,
    sending: 'Sending the prompt…',
    safety: 'Your PIN is only ever asked for on your phone, never on this page.',
    before: (time) => `Please pay before ${time}.`,
    badPhone:
      'This does not look like a mobile number of this country. Check the digits, like 0712 345 678.',
  },
  payBill: {
    title: 'Pay from the M-PESA menu instead',
    steps: ({ business, account, amount }) => [
      'Open M-PESA on your phone, then Lipa na M-PESA, then Pay Bill.',
      `Business number: ${business}`,
      `Account number: ${account}`,
      `Amount: ${amount}`,
      'Enter your PIN. This page changes when the money has come.',
    ],
    change: 'Pay exactly this amount: more or less cannot be matched to your order.',
  },
  waiting: {
    title: 'Check your phone',
    sent: (tail) => `We sent a prompt to the phone ending in ${tail}.`,
    steps: (payee, amount) => [
      'Open the prompt on your phone.',
      `Check that it asks for ${amount}.`,
      `Enter your PIN to pay ${payee}.`,
    ],
    listening: 'Waiting for your PIN. This page changes by itself.',
    countdown: 'The prompt stays open for about # seconds.',
    missing: 'Didn’t get the prompt?',
    missingSteps: [
      'Wake the screen and unlock the phone.',
      'Close any menu or call that is open on it.',
    ],
    menu: {
      mpesa: 'On an older SIM card, dial *234# to refresh the M-PESA menu.',
      mtn_momo: undefined,
      airtel_money: undefined,
    },
    otherPhone: 'To pay from another number, first cancel the prompt on this phone.',
  },
  unconfirmed: {
    title: 'We are still checking',
    text: (tail) =>
      `We have no answer yet about the prompt on the phone ending in ${tail}. If you entered your PIN, do not pay again: your payment will show here as soon as it is confirmed.`,
    again: 'Check again',
    retry: 'I did not enter my PIN',
    retryText: 'Then you can ask for a new prompt.',
  },
  failed: {
    causes: {
      wrong_pin: () => [
        'The PIN was not right',
        'Try again with care: too many wrong PINs lock your account.',
      ],
      no_funds: () => [
        'There was not enough money',
        'Your balance did not cover the amount and the fee. Top up, or pay from another phone.',
      ],
      cancelled: () => ['The prompt was cancelled', 'If that was not what you wanted, try again.'],
      no_answer: () => [
        'Nobody answered the prompt',
        'Keep your phone on, unlocked and in reach of the network, and try again.',
      ],
      prompt_expired: () => [
        'The prompt ran out',
        'It stays open for about a minute. Have your phone at hand and try again.',
      ],
      session_open: (rail) => [
        'Another request is open on your phone',
        `Finish or close it, wait two minutes, and try again. ${rail} takes one at a time.`,
      ],
      busy: (rail) => [`${rail} is busy`, 'Wait a minute and try again.'],
      over_limit: (rail) => [
        'This is over your limit',
        `The amount is more than ${rail} lets this number send now. Pay from another phone, or tomorrow.`,
      ],
      not_registered: (rail) => [
        `This number has no ${rail}`,
        'Check the digits, or use a number that is registered.',
      ],
      locked: (rail) => [
        'Your PIN is locked',
        `${rail} customer care can unlock it. You can also pay from another phone.`,
      ],
      not_started: (rail) => [
        'The prompt was not sent',
        `We could not reach ${rail} in time. Try again.`,
      ],
      refused: (rail) => [
        `${rail} did not take the request`,
        'This is not your mistake. Try again in a few minutes, or ask for another way to pay.',
      ],
      unknown: () => [
        'The payment did not go through',
        'Look at your messages before you try again.',
      ],
    },
    noMoneyTaken: 'No money was taken.',
    retry: 'Try again',
  },
  paid: {
    title: 'Paid',
    to: 'Paid to',
    amount: 'Amount',
    at: 'Time',
    for: 'For',
    forward: (host) => `Continue to ${host}`,
    forwarding: (host) => `Taking you to ${host} in a moment.`,
    stay: 'Stay here',
    print: 'Print',
    close: 'You can close this page.',
  },
  expired: {
    title: 'This payment page has expired',
    text: (payee) => `It can no longer be paid. Ask ${payee} for a new one.`,
    mayHavePaid:
      'If you entered your PIN for an earlier prompt, do not pay again: that payment will still be credited when it is confirmed.',
  },
  refusals: {
    not_found: {
      title: 'There is no such payment page',
      text: 'Check the link, or ask whoever sent it for a new one.',
    },
    too_many: {
      title: 'Too many tries',
      text: 'To protect your phone from unwanted prompts, there is a limit.',
      retry: 'Back to the payment page',
    },
    unavailable: {
      title: 'We cannot show this right now',
      text: 'If you entered your PIN, do not pay again. Look here once more in a moment.',
      retry: 'Try again',
    },
    rail_off: {
      title: 'This cannot be paid by phone yet',
      text: 'Mobile money is not switched on here. Ask the merchant for another way to pay.',
      retry: 'Back to the payment page',
    },
    cents: {
      title: 'This amount cannot be paid by phone',
      text: 'Mobile money takes whole shillings only. Ask the merchant for a new link.',
      retry: 'Back to the payment page',
    },
    wrong_request: {
      title: 'That did not work',
      text: 'Nothing was sent to your phone. Please go back to the payment page and try again.',
      retry: 'Back to the payment page',
    },
    broken: {
      title: 'Something went wrong on our side',
      text: 'If you entered your PIN, do not pay again before you have looked at your messages.',
      retry: 'Try again',
    },
  },
  retryAfter: (minutes) =>
    minutes === 1
      ? 'You can try again in a minute.'
      : `You can try again in ${String(minutes)} minutes.`,
  foot: 'Payments by Malipo',
}
