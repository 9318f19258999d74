import { swahiliCauses, swahiliRailCauses } from './swahili-causes'
import type { Texts } from './texts'

export const swahili: Texts = {
  lang: 'sw',
  name: 'Kiswahili',
  language: 'Lugha',
  awaitsReview: undefined,
  rails: {
    mpesa: 'M-PESA',
    mtn_momo: 'MTN MoMo',
    airtel_money: 'Airtel Money',
    card: 'kadi yako',
    paybill: 'M-PESA',
  },
  anyRail: 'mobile money',
  unknownPayee: 'mfanyabiashara',
  start: {
    title: (payee) => `Mlipe ${payee}`,
    phone: (rail) => `Nambari ya simu ya ${rail}`,
    hint: 'Ombi la malipo litakuja kwenye simu hii. Utalikubali hapo kwa PIN yako.',
    network: 'Mtandao',
    networkByNumber: 'Kulingana na nambari',
    pay: (amount) => `Lipa ${amount}`,
    sending: 'Tunatuma ombi…',
    offline: 'Hakuna mtandao. Tunajaribu tena…',
    lost: {
      title: 'Hakuna jibu lililofika',
      ifEntered: 'Ikiwa uliweka PIN yako, usilipe tena.',
      ifNot: 'Ikiwa hukuiweka, bonyeza kitufe tena.',
    },
    safety: 'PIN yako huulizwa kwenye simu yako tu, kamwe si kwenye ukurasa huu.',
    within: (time) => ({
      one: `Lipa ndani ya dakika # (${time}).`,
      other: `Lipa ndani ya dakika # (${time}).`,
    }),
    badPhone: (example) =>
      `Hii haionekani kuwa nambari ya simu ya nchi hii. Angalia tarakimu, kwa mfano ${example}.`,
    landline: 'Hii ni nambari ya simu ya mezani. Andika nambari ya simu ya mkononi.',
    serviceNumber: 'Hii ni nambari ya huduma. Andika nambari ya simu ya mkononi.',
    otherNetwork: (network, money, needed) =>
      `Hii ni nambari ya ${network}. ${money} inahitaji nambari ya ${needed}.`,
    moved: (needed) => `Nambari hii imehamia ${needed}`,
    scan: 'Ili kulipa kwa simu yako, skani hii kwa kamera yake.',
  },
  payBill: {
    title: 'Au lipa kupitia menyu ya M-PESA',
    insteadOfPrompt: 'Lipa kwa Pay Bill badala yake',
    open: 'Kwenye simu yako fungua M-PESA, kisha Lipa na M-PESA, kisha Pay Bill.',
    business: 'Nambari ya biashara',
    account: 'Nambari ya akaunti',
    amount: 'Kiasi',
    pin: 'Weka PIN yako. Ukurasa huu utabadilika pesa zikifika.',
    exact: 'Lipa kiasi hiki kamili: kikizidi au kikipungua, hatuwezi kukilinganisha na agizo lako.',
    till: {
      open: 'Kwenye simu yako fungua M-PESA, kisha Lipa na M-PESA, kisha Buy Goods and Services.',
      number: 'Nambari ya till',
      from: (tail) =>
        `Lipa kutoka kwa simu inayoishia na ${tail}: nambari yake inaonyesha malipo yako ni yapi. Inaweza kuchukua dakika chache.`,
    },
    scan: 'Au skani hii kwa programu ya M-PESA kwenye simu yako.',
    copy: 'Nakili',
    copied: 'Imenakiliwa',
    check: 'Nimelipa: angalia sasa',
    once: 'Lipa mara moja tu: ombi likija baadaye, lighairi.',
  },
  waiting: {
    title: 'Angalia simu yako',
    sent: (tail) => `Ombi la malipo linakuja kwenye simu inayoishia na ${tail}.`,
    steps: (payee, amount, account) => [
      'Fungua ombi kwenye simu yako.',
      account === undefined
        ? `Hakikisha linaomba ${amount}.`
        : `Hakikisha linaomba ${amount} na linaonyesha ${account}.`,
      `Weka PIN yako ili kumlipa ${payee}.`,
    ],
    listening: 'Tunasubiri PIN yako. Ukurasa huu utabadilika wenyewe.',
    offline: 'Hakuna mtandao. Ukurasa huu utaendelea wenyewe mtandao ukirudi.',
    countdown: {
      one: 'Ombi litabaki wazi kwa takriban sekunde #.',
      other: 'Ombi litabaki wazi kwa takriban sekunde #.',
    },
    countdownMinutes: {
      one: 'Ombi litabaki wazi kwa takriban dakika #.',
      other: 'Ombi litabaki wazi kwa takriban dakika #.',
    },
    ranOut: 'Huenda ombi limefungwa sasa. Tunaangalia lilivyoisha.',
    missing: 'Hujapata ombi?',
    missingSteps: ['Washa skrini na ufungue simu.', 'Funga menyu au simu yoyote iliyo wazi.'],
    menu: {
      mpesa: 'Kwa laini ya zamani, piga *234# ili kusasisha menyu ya M-PESA.',
      mtn_momo: 'Usipoona ombi, piga *165#, chagua My Account, kisha My Approvals.',
      airtel_money: undefined,
    },
    otherNumber: 'Tumia nambari nyingine',
    otherNumberText: (rail, until) =>
      `Ombi moja tu huwa wazi kwa wakati, ili usilipe mara mbili. Lighairi kwenye simu hiyo, na ukurasa huu utauliza nambari mara moja. La sivyo utasubiri ${rail} hadi ${until}.`,
    until: (rail, until) =>
      `Tunasubiri ${rail} hadi ${until}. Kisha angalia tena: unaweza kuomba ombi jipya hapa.`,
  },
  unanswered: {
    title: (rail) => `${rail} haijatujibu`,
    text: (tail) =>
      `Huenda ombi bado likaja kwenye simu inayoishia na ${tail}. Hatutumi lingine hadi tujue.`,
    notBoth: 'Kubali ombi likija, au lipa kupitia menyu ya M-PESA. Usifanye yote mawili.',
    approve: 'Kubali ombi likija.',
  },
  queued: {
    title: 'Ombi lako linasubiri',
    text: (tail) => `Ombi lingine la malipo limetangulia kwenye simu inayoishia na ${tail}.`,
    until: (until) =>
      `Lako litatumwa simu ikiwa huru. Tunasubiri hadi ${until} kwa kuchelewa zaidi. Simu isipokuwa huru kwa wakati, lako halitatumwa, hakuna pesa itakayochukuliwa, na unaweza kujaribu tena hapa.`,
    advice: 'Lipa au ghairi ombi lililo wazi kwenye simu.',
    listening: 'Tunasubiri simu. Ukurasa huu utabadilika wenyewe.',
  },
  card: {
    title: 'Au lipa kwa kadi',
    terms: (fee, total) => `Ada ya kadi ya ${fee} inaongezwa: unalipa ${total}.`,
    pay: (total) => `Lipa ${total} kwa kadi`,
    safety: 'Unaandika kadi yako kwenye ukurasa salama wa benki, kamwe si kwenye huu.',
    waiting: 'Maliza kwenye ukurasa wa kadi',
    waitingText: 'Ikiwa umeshalipa huko, kaa hapa: usilipe tena.',
    listening: 'Tunauliza benki. Ukurasa huu utabadilika wenyewe.',
    goOn: 'Nenda kwenye ukurasa wa kadi',
    unconfirmed:
      'Bado hatujapata jibu kuhusu kadi yako. Ikiwa ulithibitisha malipo, usilipe tena: yataonekana hapa mara tu yatakapothibitishwa.',
    until: (until) =>
      `Ukurasa wa kadi unapokea kadi hadi ${until}. Malizia huko, au subiri hadi wakati huo ulipe kwa njia nyingine.`,
    retry: 'Sikulipa kwa kadi',
    paid: 'Umelipa kwa kadi',
    fee: 'Ada ya kadi',
    causes: {
      cancelled: () => [
        'Uliondoka kwenye ukurasa wa kadi bila kulipa',
        'Kama hukukusudia hivyo, jaribu tena.',
      ],
      no_funds: () => ['Pesa hazitoshi kwenye kadi hii', 'Jaribu kadi nyingine, au lipa kwa simu.'],
      not_started: () => [
        'Ukurasa wa kadi haukufunguka',
        'Jaribu tena baada ya dakika moja, au lipa kwa simu.',
      ],
    },
  },
  unconfirmed: {
    title: 'Bado tunaangalia',
    text: (tail) =>
      `Bado hatujapata jibu kuhusu ombi la simu inayoishia na ${tail}. Ikiwa uliweka PIN yako, usilipe tena: malipo yako yataonekana hapa mara tu yatakapothibitishwa.`,
    stillOpen: (tail) =>
      `Ombi kwenye simu inayoishia na ${tail} bado liko wazi. Weka PIN yako hapo, kisha angalia tena. Ikiwa umeshaiweka, usilipe tena.`,
    reported:
      'Tumearifiwa kuwa umelipa, na tunaangalia malipo yako. Usilipe tena: yataonekana hapa mara tu yatakapothibitishwa.',
    held: 'Tumepokea pesa ambazo bado hatujaweza kuzilinganisha na malipo haya. Usilipe tena: tunazifuatilia, na zitahesabiwa au kurudishwa.',
    again: 'Angalia tena',
    retry: 'Sikuweka PIN yangu',
    heldRetry: 'Bado sijalipa',
    retryText: 'Basi unaweza kuomba ombi jipya.',
    retryOrMenuText: 'Basi unaweza kuomba ombi jipya, au kulipa kupitia menyu ya M-PESA.',
  },
  reported: {
    title: 'Tunathibitisha malipo yako',
    text: 'Tumearifiwa kuhusu malipo kutoka menyu ya M-PESA, na tunasubiri M-PESA iyathibitishe. Kwa kawaida huchukua dakika chache. Usilipe tena: yataonekana hapa mara tu yatakapothibitishwa.',
  },
  failed: {
    causes: swahiliCauses,
    railCauses: swahiliRailCauses,
    noMoneyTaken: 'Hakuna pesa zilizochukuliwa.',
    retry: 'Jaribu tena',
  },
  paid: {
    title: 'Imelipwa',
    to: 'Aliyelipwa',
    amount: 'Kiasi',
    at: 'Wakati',
    for: 'Kwa ajili ya',
    forward: (host) => `Endelea hadi ${host}`,
    forwarding: (host) => ({
      one: `Tunakupeleka ${host} baada ya sekunde #.`,
      other: `Tunakupeleka ${host} baada ya sekunde #.`,
    }),
    stay: 'Baki hapa',
    print: 'Chapisha',
    returned: {
      title: 'Pesa zimerudishwa',
      text: 'Malipo haya yalifanywa, kisha pesa zikarudishwa kwa aliyelipa.',
    },
    close: 'Unaweza kufunga ukurasa huu.',
  },
  expired: {
    title: 'Muda wa ukurasa huu wa malipo umeisha',
    text: (payee) => `Hauwezi kulipiwa tena. Omba mpya kutoka kwa ${payee}.`,
    menuText: (payee) =>
      `Ikiwa umelipa kupitia menyu ya M-PESA, usilipe tena: bonyeza kitufe kilicho hapa chini uone kama pesa zimefika. Ikiwa hujalipa, omba mpya kutoka kwa ${payee}.`,
  },
  mayHavePaid:
    'Ikiwa uliidhinisha malipo ya awali ya hili, usilipe tena: bado yanaangaliwa, na yatahesabiwa au kurudishwa.',
  denied: (rail) =>
    `${rail} inasema hakuna pesa zilizochukuliwa. Ikiwa ujumbe kwenye simu yako unasema umelipa, usilipe tena: malipo yataonekana hapa.`,
  foundUnpaid: {
    title: 'Hii haijalipwa',
    text: 'Tuliarifiwa kuhusu malipo. Tuliyakagua, na hayakufanyika. Unaweza kulipa sasa.',
  },
  rounding: {
    charged: (price, charged) =>
      `Bei ni ${price}. M-PESA hupokea shilingi kamili tu, kwa hiyo utaombwa ${charged}.`,
    typed: (typed, charged) =>
      `M-PESA hupokea shilingi kamili tu: ${typed} imeongezwa hadi ${charged}. Bonyeza kitufe tena ili ulipe kiasi hicho.`,
    price: 'Bei',
  },
  countries: { ke: 'Kenya', ug: 'Uganda' },
  handle: {
    amount: (currency) => `Kiasi kwa ${currency}`,
    badAmount: (least, most) => `Andika kiasi kuanzia ${least} hadi ${most}.`,
    wholeOnly: 'Shilingi kamili tu.',
    pay: 'Lipa',
    begun: 'Tayari umeanza malipo mengine hapa',
    anyAmount: 'Kiasi: unachotaka kulipa',
    pin: 'Weka PIN yako. M-PESA itakuthibitishia malipo kwa ujumbe.',
    elsewhere: {
      title: (country) => `Malipo haya hufanywa ${country}`,
      text: (payee, country) =>
        `${payee} hupokea malipo ${country}. Hayawezi kufanywa kwenye ukurasa huu.`,
      link: (country) => `Nenda kwenye ukurasa wa ${country}`,
    },
    notAccepting: {
      title: 'Haiwezi kulipwa kwa sasa',
      text: 'Malipo hayapokelewi hapa. Muulize aliyekutumia kiungo.',
    },
  },
  refusals: {
    not_found: {
      title: 'Hakuna ukurasa wa malipo kama huu',
      text: 'Angalia kiungo, au omba kipya kutoka kwa aliyekutumia.',
    },
    payee_closed: {
      title: 'Mfanyabiashara huyu hawezi kupokea malipo kwa sasa',
      text: 'Ikiwa uliweka PIN yako au umelipa, usilipe tena: malipo yako yamehifadhiwa. Muulize mfanyabiashara, na uhifadhi ujumbe wa malipo yako.',
      retry: 'Jaribu tena',
    },
    too_many: {
      title: 'Umejaribu mara nyingi mno',
      text: 'Ili kulinda simu yako dhidi ya maombi usiyoyataka, kuna kikomo.',
      retry: 'Rudi kwenye ukurasa wa malipo',
    },
    too_many_cards: {
      title: 'Umejaribu mara nyingi mno',
      text: 'Kuna kikomo cha mara ambazo ukurasa wa kadi unaweza kufunguliwa.',
      retry: 'Rudi kwenye ukurasa wa malipo',
    },
    too_many_looks: {
      title: 'Tafadhali subiri kidogo',
      text: 'Ukurasa huu umefunguliwa mara nyingi mno kutoka mtandao wako. Ikiwa uliweka PIN yako, usilipe tena: malipo yako yanaendelea hata bila ukurasa huu.',
      retry: 'Jaribu tena',
    },
    busy: {
      title: 'Watu wengi wanalipa sasa hivi',
      text: 'Malipo yako hayajaanza, na hakuna pesa iliyokatwa. Jaribu tena baada ya muda mfupi.',
      retry: 'Jaribu tena',
    },
    unavailable: {
      title: 'Hatuwezi kuonyesha hii sasa hivi',
      text: 'Ikiwa uliweka PIN yako, usilipe tena. Angalia hapa tena baada ya muda mfupi.',
      retry: 'Jaribu tena',
    },
    rail_off: {
      title: 'Hii bado haiwezi kulipwa kwa simu',
      text: 'Malipo kwa simu ya mtandao huu hayajawashwa hapa. Jaribu nambari ya mtandao mwingine, au muulize mfanyabiashara njia nyingine ya kulipa.',
      retry: 'Rudi kwenye ukurasa wa malipo',
    },
    wrong_request: {
      title: 'Hilo halikufaulu',
      text: 'Hakuna kilichotumwa kwenye simu yako. Tafadhali rudi kwenye ukurasa wa malipo ujaribu tena.',
      retry: 'Rudi kwenye ukurasa wa malipo',
    },
    broken: {
      title: 'Kuna hitilafu upande wetu',
      text: 'Ikiwa uliweka PIN yako, usilipe tena kabla ya kuangalia ujumbe kwenye simu yako.',
      retry: 'Jaribu tena',
    },
  },
  retryAfter: {
    one: 'Unaweza kujaribu tena baada ya dakika #.',
    other: 'Unaweza kujaribu tena baada ya dakika #.',
  },
  retryTooLate: (payee) =>
    `Muda wa ukurasa huu utaisha kabla ya hapo. Lipa kwa njia nyingine, au omba mpya kutoka kwa ${payee}.`,
  foot: 'Huduma ya malipo: Malipo',
}
