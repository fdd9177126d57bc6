// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender does what the interface says: otherwise it would be compared at another task. */
@Tag("thorough")
class ContendersIT {
    private static final Set<String> WITHOUT_ATOMIC_INVOKE = Set.of("redisson-jcache");
    private static final int CALLERS = 4;
    private static final int VISITS = 50;

    private final List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
    private final BenchmarkServers servers = BenchmarkServers.start(3);

    @AfterEach
    void endServers() {
        servers.close();
    }

    static Stream<ContenderType> types() {
        return ContenderType.all().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    void operations_haveTheirEffects(ContenderType type) {
        try (Contender contender = type.open(new Conditions(servers.uris(), Lifetime.MODIFIED))) {
            Set<Operation> operations = type.operations();
            put(contender);
            if (operations.contains(Operation.PUT_ALL)) {
                putAll(contender);
            }
            if (operations.contains(Operation.INVOKE)) {
                invoke(contender, type);
            }
            if (operations.contains(Operation.TRANSACTION)) {
                transaction(contender);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void bulkWritesOfPlainLettuce_areThereWhateverTheirLifetime(Lifetime lifetime) {
        ContenderType type = ContenderType.of("lettuce-sync");
        try (Contender contender = type.open(new Conditions(servers.uris(), lifetime))) {
            putAll(contender);
        }
    }

    private void put(Contender contender) {
        assertThat(contender.get(1_000_001)).isNull();

        contender.put(1_000_001, samples.get(3));

        assertThat(contender.get(1_000_001))
                .isIn(samples.get(3).customer(), samples.get(3).bytes());
    }

    private void putAll(Contender contender) {
        Batch stored = Batch.of(IntStream.range(0, 100), samples);
        contender.putAll(stored);

        assertThat(contender.getAll(Batch.of(IntStream.range(50, 150), samples)))
                .hasSize(50)
                .allSatisfy((id, value) -> assertThat(value)
                        .isIn(
                                samples.get(Math.toIntExact(id)).customer(),
                                samples.get(Math.toIntExact(id)).bytes()));
    }

    private void invoke(Contender contender, ContenderType type) {
        long before = contender.invoke(1_000_001);
        assertThat(contender.invoke(1_000_001)).isEqualTo(before + 1);

        if (!WITHOUT_ATOMIC_INVOKE.contains(type.label())) {
            CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(() -> visit(contender)))
                            .limit(CALLERS)
                            .toArray(CompletableFuture[]::new))
                    .join();
            assertThat(contender.invoke(1_000_001)).isEqualTo(before + CALLERS * VISITS + 2);
        }
    }

    private static void visit(Contender contender) {
        for (int i = 0; i < VISITS; i++) {
            contender.invoke(1_000_001);
        }
    }

    private void transaction(Contender contender) {
        long before = contender.transaction(7, samples.get(0));

        assertThat(contender.transaction(7, samples.get(0))).isEqualTo(before + 2);
    }
}
