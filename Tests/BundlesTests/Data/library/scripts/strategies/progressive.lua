return {
  options = {
    upgrade_after_uses = { default = 3, min = 0, max = 1000, unit = "uses" },
    is_polite = { default = true },
    primer = { default = "See the stores around you." },
  },
}
