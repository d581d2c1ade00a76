"""What people see: screens, sessions, the widget, the page."""
