import { createContext } from 'react'

/** Opens a resource of the tool's own server by its address; undefined where the server has none. */
export const OpenResource = createContext<((uri: string) => void) | undefined>(undefined)
