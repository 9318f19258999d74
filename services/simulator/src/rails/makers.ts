import type { Config } from '../config'
import { airtelMoneyRail } from './airtel-money/airtel-money'
import { darajaRail } from './mpesa/daraja'
import type { Registration } from './mpesa/state'
import { mtnMomoRail } from './mtn-momo/mtn-momo'
import type { RailMaker } from './stage'

/** Every provider that is played. A new one is a folder and a line here. */
export function railMakersOf({ mpesa, mtnMomo, airtelMoney }: Config): readonly RailMaker[] {
  const registration: Registration = { urls: undefined }
  return [
    (world, deliver) => darajaRail(mpesa, { world, deliver, registration }),
    ...(mtnMomo ? [maker(mtnMomoRail, mtnMomo)] : []),
    ...(airtelMoney ? [maker(airtelMoneyRail, airtelMoney)] : []),
  ]
}

function maker<Settings>(
  make: (settings: Settings, ...wiring: Parameters<RailMaker>) => ReturnType<RailMaker>,
  settings: Settings,
): RailMaker {
  return (world, deliver) => make(settings, world, deliver)
}
