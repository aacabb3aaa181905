import HearthLocalCommands

QuickCommand.main()
