import Check
import Testing
