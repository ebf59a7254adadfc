// What a person has set on this device.
export interface Settings {
  numbers: 'near' | 'always' | 'never'
  names: boolean
  textures: boolean
  counterSize: number
  contrast: boolean
  speed: number
  sound: boolean
  confirm: 'never' | 'final' | 'always'
  /** Before a phase ends it is also said what could still be done. */
  left: boolean
  curtain: boolean
}

const DEFAULTS: Settings = {
  numbers: 'near',
  names: true,
  textures: true,
  counterSize: 1,
  contrast: false,
  speed: 1,
  sound: false,
  confirm: 'final',
  left: true,
  curtain: false,
}
export const SPEEDS: [number, string][] = [
  [0, 'none, at once'],
  [0.5, 'slow'],
  [1, 'normal'],
  [3, 'fast'],
]
const KEY = 'kessel.settings'

function kept(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) }
  } catch {
    return { ...DEFAULTS }
  }
}

export const settings: Settings = $state(kept())

export function keepSettings(): void {
  localStorage.setItem(KEY, JSON.stringify(settings))
}

export function resetSettings(): void {
  Object.assign(settings, DEFAULTS)
  keepSettings()
}
