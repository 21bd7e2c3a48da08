const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const file = () => join(process.env.LLM_AGENT_CACHE_DIR, 'plants.json')
const readPlants = () => (existsSync(file()) ? JSON.parse(readFileSync(file(), 'utf8')) : [])

function writePlants(plants) {
  mkdirSync(process.env.LLM_AGENT_CACHE_DIR, { recursive: true })
  writeFileSync(file(), JSON.stringify(plants, null, 2))
}

/**
 * Note down a plant.
 *
 * @typedef {Object} AddPlant
 * @property {string} name - What grows
 * @property {integer} bed - The number of the bed
 * @property {integer} [rows] - How many rows
 * @property {string[]} [neighbours] - What grows beside it
 * @param {AddPlant} args
 */
exports.add_plant = function add_plant({ name, bed, rows = 1, neighbours = [] }) {
  const plants = readPlants()
  plants.push({ name, bed, rows, neighbours, watered: null })
  writePlants(plants)
  return `${name} grows in bed ${bed} of ${process.env.LLM_AGENT_VAR_OWNER || 'nobody'}’s garden in ${process.env.LLM_AGENT_VAR_PLACE}.`
}

/**
 * List the plants, of one bed or of all.
 *
 * @typedef {Object} ListPlants
 * @property {integer} [bed] - Only this bed
 * @property {boolean} [thirsty] - Only plants that were never watered
 * @param {ListPlants} args
 */
exports.list_plants = function list_plants({ bed, thirsty = false }) {
  return readPlants().filter(
    plant => (bed === undefined || plant.bed === bed) && (!thirsty || plant.watered === null),
  )
}

/**
 * Water a bed.
 *
 * @typedef {Object} WaterBed
 * @property {integer} bed - The number of the bed
 * @property {'little'|'much'} amount - How much water
 * @param {WaterBed} args
 */
exports.water_bed = function water_bed({ bed, amount }) {
  const watered = readPlants().map(plant =>
    plant.bed === bed ? { ...plant, watered: new Date().toISOString() } : plant,
  )
  writePlants(watered)
  return { bed, amount, plants: watered.filter(plant => plant.bed === bed).length }
}

/**
 * Forget every plant. Cannot be undone.
 */
exports.clear_garden = function clear_garden() {
  rmSync(file(), { force: true })
}
