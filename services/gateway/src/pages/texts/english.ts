import { englishCauses, englishRailCauses } from './english-causes'
import type { Texts } from './texts'

export const english: Texts = {
  lang: 'en',
  name: 'English',
  language: 'Language',
  awaitsReview: undefined,
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
    networkByNumber: 'Let the number decide',
    pay: (amount) => `Pay ${amount}`,
    sending: 'Sending the prompt…',
    offline: 'No connection. Trying again…',
    lost: {
      title: 'No answer has come',
      ifEntered: 'If you entered your PIN, do not pay again.',
      ifNot: 'If you did not, press the button again.',
    },
    safety: 'Your PIN is only ever asked for on your phone, never on this page.',
    within: (time) => ({
      one: `Pay within # minute (${time}).`,
      other: `Pay within # minutes (${time}).`,
    }),
    badPhone: (example) =>
      `This does not look like a mobile number of this country. Check the digits, like ${example}.`,
    landline: 'This is a landline. Enter a mobile number.',
    serviceNumber: 'This is a toll-free or service number. Enter a mobile number.',
    otherNetwork: (network, money, needed) =>
      `This number is from ${network}. ${money} needs one from ${needed}.`,
    moved: (needed) => `This number has moved to ${needed}`,
    scan: 'To pay on your phone, scan this with its camera.',
  },
  payBill: {
    title: 'Pay from the M-PESA menu instead',
    insteadOfPrompt: 'Pay with Pay Bill instead',
    open: 'On your phone open M-PESA, then Lipa na M-PESA, then Pay Bill.',
    business: 'Business number',
    account: 'Account number',
    amount: 'Amount',
    pin: 'Enter your PIN. This page changes when the money has come.',
    exact: 'Pay exactly this amount: more or less cannot be matched to your order.',
    till: {
      open: 'On your phone open M-PESA, then Lipa na M-PESA, then Buy Goods and Services.',
      number: 'Till number',
      from: (tail) =>
        `Pay from the phone ending in ${tail}: its number shows which payment is yours. It can take a few minutes.`,
    },
    scan: 'Or scan this with the M-PESA app on your phone.',
    copy: 'Copy',
    copied: 'Copied',
    check: 'I have paid: check now',
    once: 'Pay once only: if the prompt still comes, cancel it.',
  },
  waiting: {
    title: 'Check your phone',
    sent: (tail) => `A prompt is on its way to the phone ending in ${tail}.`,
    steps: (payee, amount, account) => [
      'Open the prompt on your phone.',
      account === undefined
        ? `Check that it asks for ${amount}.`
        : `Check that it asks for ${amount} and says ${account}.`,
      `Enter your PIN to pay ${payee}.`,
    ],
    listening: 'Waiting for your PIN. This page changes by itself.',
    offline: 'No connection. This page goes on by itself when it is back.',
    countdown: {
      one: 'The prompt stays open for about # second.',
      other: 'The prompt stays open for about # seconds.',
    },
    countdownMinutes: {
      one: 'The prompt stays open for about # minute.',
      other: 'The prompt stays open for about # minutes.',
    },
    ranOut: 'The prompt has probably closed by now. We are checking how it ended.',
    missing: 'Didn’t get the prompt?',
    missingSteps: [
      'Wake the screen and unlock the phone.',
      'Close any menu or call that is open on it.',
    ],
    menu: {
      mpesa: 'On an older SIM card, dial *234# to refresh the M-PESA menu.',
      mtn_momo: 'If no prompt shows, dial *165#, choose My Account, then My Approvals.',
      airtel_money: undefined,
    },
    otherNumber: 'Use another number',
    otherNumberText: (rail, until) =>
      `One prompt is open at a time, so that you do not pay twice. Cancel it on that phone, and this page asks for a number at once. Otherwise it waits for ${rail} until ${until}.`,
    until: (rail, until) =>
      `We wait for ${rail} until ${until}. Then check again: you can ask for a new prompt here.`,
  },
  unanswered: {
    title: (rail) => `${rail} has not answered us`,
    text: (tail) =>
      `A prompt may still come to the phone ending in ${tail}. We send no second one until we know.`,
    notBoth: 'Approve the prompt if it comes, or pay from the M-PESA menu. Never do both.',
    approve: 'Approve the prompt if it comes.',
  },
  queued: {
    title: 'Your request is waiting',
    text: (tail) => `Another payment request came first on the phone ending in ${tail}.`,
    until: (until) =>
      `Yours is sent when the phone is free for it. We wait until ${until} at the latest. If the phone is not free in time, yours is not sent, no money is taken, and you can try again here.`,
    advice: 'Pay or cancel the one that is open on the phone.',
    listening: 'Waiting for the phone. This page changes by itself.',
  },
  card: {
    title: 'Or pay by card',
    terms: (fee, total) => `A card fee of ${fee} is added: you pay ${total}.`,
    pay: (total) => `Pay ${total} by card`,
    safety: 'You type your card on the secure page of the bank, never on this one.',
    waiting: 'Finish on the card page',
    waitingText: 'If you have paid there already, stay here: do not pay again.',
    listening: 'We are asking the bank. This page changes by itself.',
    goOn: 'Go to the card page',
    unconfirmed:
      'We have no answer yet about your card. If you confirmed the payment, do not pay again: it will show here as soon as it is confirmed.',
    until: (until) =>
      `The card page takes cards until ${until}. Finish there, or wait until then to pay another way.`,
    retry: 'I did not pay by card',
    paid: 'Paid by card',
    fee: 'Card fee',
    causes: {
      cancelled: () => [
        'You left the card page without paying',
        'If that was not what you wanted, try again.',
      ],
      no_funds: () => ['Not enough money on this card', 'Try another card, or pay by phone.'],
      not_started: () => [
        'The card page could not be opened',
        'Try again in a minute, or pay by phone.',
      ],
    },
  },
  unconfirmed: {
    title: 'We are still checking',
    text: (tail) =>
      `We have no answer yet about the prompt on the phone ending in ${tail}. If you entered your PIN, do not pay again: your payment will show here as soon as it is confirmed.`,
    stillOpen: (tail) =>
      `The prompt on the phone ending in ${tail} is still open. Enter your PIN there, then check again. If you entered it already, do not pay again.`,
    reported:
      'Your payment was reported to us as paid, and we are checking it. Do not pay again: it will show here as soon as it is confirmed.',
    held: 'We have received money that we could not match to this payment yet. Do not pay again: our team is checking it, and it will be credited or sent back.',
    again: 'Check again',
    retry: 'I did not enter my PIN',
    heldRetry: 'I have not paid yet',
    retryText: 'Then you can ask for a new prompt.',
    retryOrMenuText: 'Then you can ask for a new prompt, or pay from the M-PESA menu.',
  },
  reported: {
    title: 'We are confirming your payment',
    text: 'A payment from the M-PESA menu was reported to us, and we are waiting for M-PESA to confirm it. This usually takes a few minutes. Do not pay again: it will show here as soon as it is confirmed.',
  },
  failed: {
    causes: englishCauses,
    railCauses: englishRailCauses,
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
    forwarding: (host) => ({
      one: `Taking you to ${host} in # second.`,
      other: `Taking you to ${host} in # seconds.`,
    }),
    stay: 'Stay here',
    print: 'Print',
    returned: {
      title: 'The money was sent back',
      text: 'This was paid, and then returned to the payer.',
    },
    close: 'You can close this page.',
  },
  expired: {
    title: 'This payment page has expired',
    text: (payee) => `It can no longer be paid. Ask ${payee} for a new one.`,
    menuText: (payee) =>
      `If you have paid from the M-PESA menu, do not pay again, and press the button below to see whether the money has come. If you have not paid, ask ${payee} for a new one.`,
  },
  mayHavePaid:
    'If you approved an earlier payment for this, do not pay again: it is still being checked, and will be credited or sent back.',
  denied: (rail) =>
    `${rail} says that no money was taken. If a message on your phone says that you paid, do not pay again: the payment will show here.`,
  foundUnpaid: {
    title: 'This has not been paid',
    text: 'A payment was reported to us. We checked it, and it was not made. You can pay now.',
  },
  rounding: {
    charged: (price, charged) =>
      `The price is ${price}. M-PESA takes whole shillings only, so you are asked for ${charged}.`,
    typed: (typed, charged) =>
      `M-PESA takes whole shillings only: ${typed} is rounded up to ${charged}. Press the button again to pay that.`,
    price: 'Price',
  },
  countries: { ke: 'Kenya', ug: 'Uganda' },
  handle: {
    amount: (currency) => `Amount in ${currency}`,
    badAmount: (least, most) => `Enter an amount from ${least} to ${most}.`,
    wholeOnly: 'Whole shillings only.',
    pay: 'Pay',
    begun: 'You have begun another payment here',
    anyAmount: 'Amount: what you want to pay',
    pin: 'Enter your PIN. M-PESA confirms the payment in a message to you.',
    elsewhere: {
      title: (country) => `This is paid in ${country}`,
      text: (payee, country) =>
        `${payee} takes payments in ${country}. They cannot be made on this page.`,
      link: (country) => `Go to the page for ${country}`,
    },
    notAccepting: {
      title: 'This cannot be paid right now',
      text: 'Payments are not being taken here. Ask the person who sent you the link.',
    },
  },
  refusals: {
    not_found: {
      title: 'There is no such payment page',
      text: 'Check the link, or ask the person who sent it for a new one.',
    },
    payee_closed: {
      title: 'This merchant cannot take payments right now',
      text: 'If you entered your PIN or have paid, do not pay again: your payment is kept. Ask the merchant about it, and keep the message of your payment.',
      retry: 'Look again',
    },
    too_many: {
      title: 'Too many tries',
      text: 'To protect your phone from unwanted prompts, there is a limit.',
      retry: 'Back to the payment page',
    },
    too_many_cards: {
      title: 'Too many tries',
      text: 'There is a limit to how often the card page can be opened.',
      retry: 'Back to the payment page',
    },
    too_many_looks: {
      title: 'Please wait a moment',
      text: 'This page has been opened very often from your network. If you entered your PIN, do not pay again: your payment goes on without this page.',
      retry: 'Try again',
    },
    busy: {
      title: 'Many people are paying right now',
      text: 'Your payment has not begun, and nothing was taken. Try again in a moment.',
      retry: 'Try again',
    },
    unavailable: {
      title: 'We cannot show this right now',
      text: 'If you entered your PIN, do not pay again. Look here once more in a moment.',
      retry: 'Try again',
    },
    rail_off: {
      title: 'This cannot be paid by phone yet',
      text: 'Mobile money of this network is not switched on here. Try a number of another network, or ask the merchant for another way to pay.',
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
  retryAfter: {
    one: 'You can try again in # minute.',
    other: 'You can try again in # minutes.',
  },
  retryTooLate: (payee) =>
    `This page expires before that. Pay another way, or ask ${payee} for a new one.`,
  foot: 'Payments by Malipo',
}
