import HearthArguments
import HearthCommandLine

HearthCommand.main()
