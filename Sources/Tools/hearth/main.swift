import HearthCommandLine

HearthCommand.main()
