import { lugandaCauses, lugandaRailCauses } from './luganda-causes'
import type { Texts } from './texts'

/** No native speaker has reviewed these texts yet, and the pages say so. Delete `awaitsReview` after the review. */
export const luganda: Texts = {
  lang: 'lg',
  name: 'Luganda',
  language: 'Olulimi',
  awaitsReview: 'Enkyusa eno ekyalindirira okukebererwa omwogezi w’Oluganda.',
  rails: {
    mpesa: 'M-PESA',
    mtn_momo: 'MTN MoMo',
    airtel_money: 'Airtel Money',
    card: 'kaadi yo',
    paybill: 'M-PESA',
  },
  anyRail: 'mobile money',
  unknownPayee: 'omusuubuzi',
  start: {
    title: (payee) => `Sasula ${payee}`,
    phone: (rail) => `Ennamba y’essimu eya ${rail}`,
    hint: 'Okusaba okusasula kujja kujja ku ssimu eno. Okukkiririza awo n’oyingiza PIN yo.',
    network: 'Omukutu gw’essimu',
    networkByNumber: 'Okusinziira ku nnamba',
    pay: (amount) => `Sasula ${amount}`,
    sending: 'Tuweereza okusaba…',
    offline: 'Tewali yintaneeti. Tuddamu okugezaako…',
    lost: {
      title: 'Tetunnafuna kuddibwamu',
      ifEntered: 'Bw’oba wayingizza PIN yo, toddamu kusasula.',
      ifNot: 'Bw’oba togiyingizza, ddamu onyige ettapeesa.',
    },
    safety: 'PIN yo esabibwa ku ssimu yo yokka, si ku lupapula luno n’akatono.',
    within: (time) => ({
      one: `Sasula mu ddakiika # (${time}).`,
      other: `Sasula mu ddakiika # (${time}).`,
    }),
    badPhone: (example) =>
      `Eno terabika nga nnamba ya ssimu ya mu nsi eno. Kebera emiwendo, okugeza ${example}.`,
    landline: 'Eno ssimu ya ku meeza. Wandiika ennamba y’essimu y’omu ngalo.',
    serviceNumber: 'Eno nnamba ya buweereza. Wandiika ennamba y’essimu y’omu ngalo.',
    otherNetwork: (network, money, needed) =>
      `Eno nnamba ya ${network}. ${money} yeetaaga ennamba ya ${needed}.`,
    moved: (needed) => `Ennamba eno yasenguka n’egenda ku ${needed}`,
    scan: 'Okusasulira ku ssimu yo, kino kikube ne kkamera yaayo.',
  },
  payBill: {
    title: 'Oba sasulira mu menyu ya M-PESA',
    insteadOfPrompt: 'Sasula ne Pay Bill mu kifo ky’ekyo',
    open: 'Ku ssimu yo ggulawo M-PESA, olonde Lipa na M-PESA, olonde Pay Bill.',
    business: 'Ennamba ya bizinensi',
    account: 'Ennamba ya akawunti',
    amount: 'Omuwendo',
    pin: 'Yingiza PIN yo. Olupapula luno lukyuka nga ssente zituuse.',
    exact:
      'Sasula omuwendo guno gwennyini: bwe gusukka oba bwe gukendeera, tetusobola kugukwataganya na ky’ogula.',
    till: {
      open: 'Ku ssimu yo ggulawo M-PESA, olonde Lipa na M-PESA, olonde Buy Goods and Services.',
      number: 'Ennamba ya till',
      from: (tail) =>
        `Sasula n’essimu ekoma ne ${tail}: ennamba yaayo y’eraga okusasula kwo. Kiyinza okutwala eddakiika ntono.`,
    },
    scan: 'Oba sikaani kino ne app ya M-PESA ku ssimu yo.',
    copy: 'Koppa',
    copied: 'Kikoppeddwa',
    check: 'Nsasudde: kebera kati',
    once: 'Sasula omulundi gumu gwokka: okusaba bwe kujja oluvannyuma, kusazeemu.',
  },
  waiting: {
    title: 'Kebera essimu yo',
    sent: (tail) => `Okusaba okusasula kujja ku ssimu ekoma ne ${tail}.`,
    steps: (payee, amount, account) => [
      'Ggulawo okusaba okuli ku ssimu yo.',
      account === undefined
        ? `Kakasa nti kusaba ${amount}.`
        : `Kakasa nti kusaba ${amount} era nti kulaga ${account}.`,
      `Yingiza PIN yo okusasula ${payee}.`,
    ],
    listening: 'Tulindirira PIN yo. Olupapula luno lujja kwekyusa lwokka.',
    offline: 'Tewali yintaneeti. Olupapula luno lujja kweyongerayo lwokka nga ekomyewo.',
    countdown: {
      one: 'Okusaba kusigala kuggule okumala sekondi nga #.',
      other: 'Okusaba kusigala kuggule okumala sekondi nga #.',
    },
    countdownMinutes: {
      one: 'Okusaba kusigala kuggule okumala eddakiika nga #.',
      other: 'Okusaba kusigala kuggule okumala eddakiika nga #.',
    },
    ranOut: 'Okusaba kuyinza okuba nga kuggaddwawo kati. Tukebera engeri gye kwaweddeko.',
    missing: 'Tofunye kusaba?',
    missingSteps: [
      'Koleeza essimu yo era ogiggule.',
      'Ggalawo menyu oba akasimu konna akali ku ssimu.',
    ],
    menu: {
      mpesa: 'Ku layini enkadde, kuba *234# okuzza obuggya menyu ya M-PESA.',
      mtn_momo: 'Bw’otalaba kusaba, kuba *165#, olonde My Account, olonde My Approvals.',
      airtel_money: undefined,
    },
    otherNumber: 'Kozesa ennamba endala',
    otherNumberText: (rail, until) =>
      `Okusaba kumu kwokka kwe kubeera okuggule, oleme kusasula mirundi ebiri. Kusazeemu ku ssimu eyo, olupapula luno lubuuze ennamba amangu ago. Bwe kitaba ekyo, lulinda ${rail} okutuuka ku ${until}.`,
    until: (rail, until) =>
      `Tulinda ${rail} okutuuka ku ${until}. Olwo ddamu okebere: osobola okusaba okusaba okupya wano.`,
  },
  unanswered: {
    title: (rail) => `${rail} tennatuddamu`,
    text: (tail) =>
      `Okusaba kuyinza okujja ku ssimu ekoma ne ${tail}. Tetuweereza kulala nga tetunnamanya.`,
    notBoth: 'Kkiriza okusaba bwe kujja, oba sasulira mu menyu ya M-PESA. Byombi tobikola.',
    approve: 'Kkiriza okusaba bwe kujja.',
  },
  queued: {
    title: 'Okusaba kwo kulindiridde',
    text: (tail) => `Okusaba okusasula okulala kwe kwasoose ku ssimu ekoma ne ${tail}.`,
    until: (until) =>
      `Okukwo kujja kuweerezebwa ng’essimu eri ya ddembe. Tulinda okutuusa ${until} okusembayo. Essimu bw’etaba ya ddembe mu budde, okukwo tekujja kuweerezebwa, tewali ssente zijja kuggyibwako, era osobola okuddamu okugezaako wano.`,
    advice: 'Sasula oba sazaamu okusaba okuggule ku ssimu.',
    listening: 'Tulindirira essimu. Olupapula luno lujja kwekyusa lwokka.',
  },
  card: {
    title: 'Oba sasula ne kaadi',
    terms: (fee, total) => `Ebisale bya kaadi ${fee} byongerwako: osasula ${total}.`,
    pay: (total) => `Sasula ${total} ne kaadi`,
    safety: 'Kaadi yo ogiwandiika ku lupapula lwa bbanka olukuumibwa, si ku luno n’akatono.',
    waiting: 'Malirira ku lupapula lwa kaadi',
    waitingText: 'Bw’oba wasasudde dda eyo, sigala wano: toddamu kusasula.',
    listening: 'Tubuuza bbanka. Olupapula luno lujja kwekyusa lwokka.',
    goOn: 'Genda ku lupapula lwa kaadi',
    unconfirmed:
      'Tetunnafuna kuddibwamu ku kaadi yo. Bw’oba wakakasizza okusasula, toddamu kusasula: kujja kulabika wano amangu ddala nga kukakasiddwa.',
    until: (until) =>
      `Olupapula lwa kaadi lukkiriza kaadi okutuusa ku ${until}. Malirira eyo, oba linda okutuusa olwo osasule mu ngeri endala.`,
    retry: 'Saasudde na kaadi',
    paid: 'Osasudde ne kaadi',
    fee: 'Ebisale bya kaadi',
    causes: {
      cancelled: () => [
        'Ovudde ku lupapula lwa kaadi nga tosasudde',
        'Bw’oba si ky’obadde oyagala, ddamu ogezeeko.',
      ],
      no_funds: () => [
        'Ssente eziri ku kaadi eno tezimala',
        'Gezaako kaadi endala, oba sasulira ku ssimu.',
      ],
      not_started: () => [
        'Olupapula lwa kaadi telugguse',
        'Ddamu ogezeeko mu ddakiika emu, oba sasulira ku ssimu.',
      ],
    },
  },
  unconfirmed: {
    title: 'Tukyakebera',
    text: (tail) =>
      `Tetunnafuna kuddibwamu ku kusaba okwagenze ku ssimu ekoma ne ${tail}. Bw’oba wayingizza PIN yo, toddamu kusasula: okusasula kwo kujja kulabika wano amangu ddala nga kukakasiddwa.`,
    stillOpen: (tail) =>
      `Okusaba okuli ku ssimu ekoma ne ${tail} kukyali kuggule. Yingiza PIN yo awo, oddemu okebere. Bw’oba wamaze okugiyingiza, toddamu kusasula.`,
    reported:
      'Tutegeezeddwa nti osasudde, era tukyakebera. Toddamu kusasula: okusasula kwo kujja kulabika wano amangu ddala nga kukakasiddwa.',
    held: 'Tufunye ssente ze tutannasobola kukwataganya na kusasula kuno. Toddamu kusasula: tukyakebera, era zijja kubalibwa oba kuddizibwa.',
    again: 'Ddamu okebere',
    retry: 'Saayingizza PIN yange',
    heldRetry: 'Sinnasasula',
    retryText: 'Kale osobola okusaba okusaba okupya.',
    retryOrMenuText: 'Kale osobola okusaba okusaba okupya, oba okusasulira mu menyu ya M-PESA.',
  },
  reported: {
    title: 'Tukakasa okusasula kwo',
    text: 'Tutegeezeddwa ku kusasula okuvudde mu menyu ya M-PESA, era tulindirira M-PESA okukukakasa. Kitwala eddakiika ntono. Toddamu kusasula: okusasula kwo kujja kulabika wano amangu ddala nga kukakasiddwa.',
  },
  failed: {
    causes: lugandaCauses,
    railCauses: lugandaRailCauses,
    noMoneyTaken: 'Tewali ssente zitwaliddwa.',
    retry: 'Ddamu ogezeeko',
  },
  paid: {
    title: 'Kisasuddwa',
    to: 'Asasuddwa',
    amount: 'Omuwendo',
    at: 'Obudde',
    for: 'Olwa',
    forward: (host) => `Genda ku ${host}`,
    forwarding: (host) => ({
      one: `Tukutwala ku ${host} mu sekondi #.`,
      other: `Tukutwala ku ${host} mu sekondi #.`,
    }),
    stay: 'Sigala wano',
    print: 'Fulumya ku lupapula',
    returned: {
      title: 'Ssente zizziddwayo',
      text: 'Kino kyasasulwa, oluvannyuma ssente ne ziddizibwa eyasasula.',
    },
    close: 'Osobola okuggalawo olupapula luno.',
  },
  expired: {
    title: 'Obudde bw’olupapula luno olw’okusasulirako buweddeko',
    text: (payee) => `Terukyasobola kusasulirwako. Saba ${payee} olupya.`,
    menuText: (payee) =>
      `Bw’oba wasasulidde mu menyu ya M-PESA, toddamu kusasula: nyiga ettapeesa eriri wansi olabe oba ssente zituuse. Bw’oba tonnasasula, saba ${payee} olupya.`,
  },
  mayHavePaid:
    'Bw’oba wakkirizza okusasula okwasooka, toddamu kusasula: kukyakeberwa, era kujja kubalibwa oba kuddizibwa.',
  denied: (rail) =>
    `${rail} egamba nti tewali ssente zitwaliddwa. Obubaka obuli ku ssimu yo bwe bugamba nti wasasudde, toddamu kusasula: okusasula kujja kulabika wano.`,
  foundUnpaid: {
    title: 'Kino tekinnasasulwa',
    text: 'Twategeezebwa ku kusasula. Twakukebera, era tekwakolebwa. Kati osobola okusasula.',
  },
  rounding: {
    charged: (price, charged) =>
      `Omuwendo guli ${price}. M-PESA ekkiriza siringi enzijuvu zokka, n’olwekyo ojja kusabibwa ${charged}.`,
    typed: (typed, charged) =>
      `M-PESA ekkiriza siringi enzijuvu zokka: ${typed} zongeddwako okutuuka ku ${charged}. Ddamu onyige ettapeesa osasule ezo.`,
    price: 'Omuwendo gw’ekintu',
  },
  countries: { ke: 'Kenya', ug: 'Uganda' },
  handle: {
    amount: (currency) => `Omuwendo mu ${currency}`,
    badAmount: (least, most) => `Wandiika omuwendo okuva ku ${least} okutuuka ku ${most}.`,
    wholeOnly: 'Siringi nnamba yokka.',
    pay: 'Sasula',
    begun: 'Watandise dda okusasula okulala wano',
    anyAmount: 'Omuwendo: gw’oyagala okusasula',
    pin: 'Yingiza PIN yo. M-PESA ejja kukukakasa okusasula mu bubaka.',
    elsewhere: {
      title: (country) => `Kino kisasulibwa mu ${country}`,
      text: (payee, country) =>
        `${payee} asasulibwa mu ${country}. Tekisoboka kukolebwa ku lupapula luno.`,
      link: (country) => `Genda ku lupapula lwa ${country}`,
    },
    notAccepting: {
      title: 'Kino tekisobola kusasulwa kati',
      text: 'Wano tewali kusasulibwa. Buuza eyakuweerezza linki.',
    },
  },
  refusals: {
    not_found: {
      title: 'Tewali lupapula lwa kusasulirako luli bwe lutyo',
      text: 'Kebera linki, oba saba eyagikuweereza akuwe empya.',
    },
    payee_closed: {
      title: 'Omusuubuzi ono tasobola kufuna nsasula kati',
      text: 'Bw’oba wayingizza PIN yo oba wasasudde, toddamu kusasula: ensasula yo ekuumiddwa. Buuza omusuubuzi, era okuume obubaka bw’ensasula yo.',
      retry: 'Ddamu ogezeeko',
    },
    too_many: {
      title: 'Ogezezzaako emirundi mingi',
      text: 'Okukuuma essimu yo obutasabibwa by’toyagala, waliwo ekkomo.',
      retry: 'Ddayo ku lupapula lw’okusasula',
    },
    too_many_cards: {
      title: 'Ogezezzaako emirundi mingi',
      text: 'Waliwo ekkomo ku mirundi olupapula lwa kaadi gye luyinza okuggulwawo.',
      retry: 'Ddayo ku lupapula lw’okusasula',
    },
    too_many_looks: {
      title: 'Tukusaba olinde katono',
      text: 'Olupapula luno lugguddwawo emirundi mingi okuva ku mukutu gwo. Bw’oba wayingizza PIN yo, toddamu kusasula: okusasula kwo kugenda mu maaso ne bwe luba teruliiwo.',
      retry: 'Ddamu ogezeeko',
    },
    busy: {
      title: 'Abantu bangi basasula mu kiseera kino',
      text: 'Okusasula kwo tekunnatandika, era tewali ssente ziggyiddwako. Ddamu ogezeeko mu kaseera katono.',
      retry: 'Ddamu ogezeeko',
    },
    unavailable: {
      title: 'Tetusobola kulaga kino kati',
      text: 'Bw’oba wayingizza PIN yo, toddamu kusasula. Ddamu okebere wano mu kaseera katono.',
      retry: 'Ddamu ogezeeko',
    },
    rail_off: {
      title: 'Kino tekinnasobola kusasulwa ku ssimu',
      text: 'Mobile money ow’omukutu guno tannateekebwa ku wano. Gezaako ennamba y’omukutu omulala, oba buuza omusuubuzi engeri endala ey’okusasula.',
      retry: 'Ddayo ku lupapula lw’okusasula',
    },
    wrong_request: {
      title: 'Ekyo tekigenze bulungi',
      text: 'Tewali kiweerezeddwa ku ssimu yo. Tukusaba oddeyo ku lupapula lw’okusasula ogezeeko nate.',
      retry: 'Ddayo ku lupapula lw’okusasula',
    },
    broken: {
      title: 'Waliwo ekisobye ku ludda lwaffe',
      text: 'Bw’oba wayingizza PIN yo, toddamu kusasula nga tonnakebera bubaka bwo.',
      retry: 'Ddamu ogezeeko',
    },
  },
  retryAfter: {
    one: 'Osobola okuddamu okugezaako oluvannyuma lw’eddakiika #.',
    other: 'Osobola okuddamu okugezaako oluvannyuma lw’eddakiika #.',
  },
  retryTooLate: (payee) =>
    `Obudde bw’olupapula luno buggwaako ng’obwo tebunnatuuka. Sasula mu ngeri endala, oba saba ${payee} olupya.`,
  foot: 'Okusasula kuyita mu Malipo',
}
