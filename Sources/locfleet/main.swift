print("locfleet")
