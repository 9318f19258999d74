import type { CauseTexts, RailCauseTexts } from './texts'

export const swahiliCauses: CauseTexts = {
  wrong_pin: () => [
    'PIN si sahihi',
    'Jaribu tena kwa makini: ukikosea PIN mara nyingi, akaunti yako itafungwa.',
  ],
  no_funds: (rail) => [
    `Pesa hazitoshi kwenye ${rail} yako`,
    'Salio lako halikutosha kiasi na ada yake. Ongeza pesa, au lipa kwa simu nyingine.',
  ],
  cancelled: () => ['Ombi lilighairiwa', 'Kama hukukusudia hivyo, jaribu tena.'],
  no_answer: () => [
    'Ombi halikujibiwa kwa wakati',
    'Hakikisha simu yako imewashwa, imefunguliwa na ina mtandao, kisha ujaribu tena.',
  ],
  prompt_expired: () => ['Muda wa ombi uliisha', 'Kaa na simu yako karibu, kisha ujaribu tena.'],
  session_open: (rail) => [
    'Kulikuwa na ombi lingine wazi kwenye simu yako',
    `Kwa hiyo hili halikufaulu. Kamilisha au ufunge lile lingine, subiri dakika mbili, kisha ujaribu tena. ${rail} hukubali moja kwa wakati.`,
  ],
  too_soon: (rail) => [
    'Ni mapema mno baada ya malipo yako ya mwisho',
    `${rail} hukubali kiasi kilekile kutoka simu moja mara moja tu kwa dakika mbili. Subiri dakika mbili, kisha ujaribu tena.`,
  ],
  busy: (rail) => [`${rail} ina shughuli nyingi`, 'Subiri dakika moja, kisha ujaribu tena.'],
  over_limit: (rail) => [
    'Kiasi hiki kiko nje ya vikomo vyako',
    `Ni kidogo au kikubwa kuliko kile ambacho ${rail} inaruhusu nambari hii kutuma sasa. Lipa kwa njia nyingine, au ujaribu kesho ikiwa umetuma pesa nyingi leo.`,
  ],
  not_registered: (rail) => [
    `Nambari hii haina ${rail}`,
    'Angalia tarakimu, au tumia nambari iliyosajiliwa.',
  ],
  locked: (rail) => [
    'PIN yako imefungwa',
    `Huduma kwa wateja ya ${rail} inaweza kuifungua. Unaweza pia kulipa kwa simu nyingine.`,
  ],
  card_declined: () => [
    'Kadi ilikataliwa',
    'Benki ya kadi haikukubali. Jaribu kadi nyingine, au lipa kwa simu.',
  ],
  card_expired: () => ['Kadi imeisha muda', 'Tumia kadi nyingine, au lipa kwa simu.'],
  card_not_authenticated: () => [
    'Benki yako haikuthibitisha kuwa ni wewe',
    'Jaribu tena na ufuate maagizo ya benki yako, au lipa kwa njia nyingine.',
  ],
  not_started: (rail) => [
    'Ombi halikutumwa',
    `Hatukuweza kuifikia ${rail} kwa wakati. Jaribu tena.`,
  ],
  refused: (rail) => [
    `${rail} haikukubali ombi`,
    'Hili si kosa lako. Jaribu tena baada ya dakika chache, au uulize njia nyingine ya kulipa.',
  ],
  unknown: () => ['Malipo hayakufaulu', 'Angalia ujumbe kwenye simu yako kabla ya kujaribu tena.'],
}

export const swahiliRailCauses: RailCauseTexts = {
  mtn_momo: {
    no_funds: (rail) => [
      `${rail} haikuchukua malipo`,
      'Hakikisha salio lako linatosha kiasi na ada yake, na kwamba PIN yako ni sahihi. Kisha ujaribu tena.',
    ],
  },
  airtel_money: {
    refused: (rail) => [
      `${rail} haikukubali ombi`,
      `Haikusema kwa nini. Jaribu tena baada ya dakika chache. Ikitokea tena, uliza huduma kwa wateja ya ${rail}, au lipa kwa njia nyingine.`,
    ],
  },
}
