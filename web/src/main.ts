import { mount } from 'svelte'
import './lib/themes.css'
import './app.css'
import App from './App.svelte'
import { startMotion } from './lib/motion'
import { followLinks } from './lib/route.svelte'
import { startTheme } from './lib/theme'

startTheme()
startMotion()
followLinks()
mount(App, { target: document.getElementById('app')! })
