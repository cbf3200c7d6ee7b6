// `rolecall/all-formats`: importing it loads what `defineModel` leaves out to keep the bundles of pages small. In Node all is loaded.
import '@rolecall/core/all-formats'
