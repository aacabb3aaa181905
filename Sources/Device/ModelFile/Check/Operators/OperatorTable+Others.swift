extension OperatorTable {
    /// Random numbers, variables, control flow, operators of StableHLO, and those that name themselves.
    static let others = """
        RANDOM_UNIFORM,RANDOM_STANDARD_NORMAL i32/1#0-8       > f32
        MULTINOMIAL                f32/2 i32#1                > i32,i64
        VAR_HANDLE                                            > res
        READ_VARIABLE              res                        > plain
        ASSIGN_VARIABLE            res plain#1-               >

        IF                         bool *any                  > *any
        WHILE                      *any                       > *any
        CALL_ONCE                                             >
        STABLEHLO_CASE             i32#1 +any                 > +any
        STABLEHLO_COMPOSITE        +any                       > +any

        STABLEHLO_ADD,STABLEHLO_MULTIPLY    T[S] T[S]         > T       ; T: plain
        STABLEHLO_MAXIMUM,STABLEHLO_MINIMUM T[S] T[S]         > T       ; T: plain
        STABLEHLO_AND              T[S] T[S]                  > T       ; T: plain
        STABLEHLO_SHIFT_LEFT       T[S] T[S]                  > T       ; T: i8,i16,i32,i64,u8,u16,u32,u64
        STABLEHLO_PAD              T T#1                      > T       ; T: plain
        STABLEHLO_GATHER           T i32,i64                  > T       ; T: plain
        STABLEHLO_SCATTER          T i32,i64 T                > T       ; T: plain
        STABLEHLO_REDUCE_WINDOW    +T                         > +T      ; T: plain
        REDUCE_WINDOW              T T#1 i64/1> i64/1> i64/1> > T       ; T: plain
        STABLEHLO_RNG_BIT_GENERATOR u64/1                     > u64 i32,u32,i64,u64

        CUSTOM                     ?*any                      > *any
        """
}
