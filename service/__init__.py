"""The service: settings, transports, authority and the store around the pure domain."""
