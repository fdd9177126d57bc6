// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every interleaving of a few operations has the outcome of one after the other. Lincheck chooses them. */
@Tag("lincheck")
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "number", gen = IntGen.class, conf = "0:4")
public class PendingDeletesLincheckTest {
    private final PendingDeletes pendingDeletes = new PendingDeletes();

    private static EncodedKey encoded(int key) {
        return EncodedKey.of("customer:" + key);
    }

    @Operation
    public boolean add(@Param(name = "key") int key) {
        return pendingDeletes.add(List.of(encoded(key)));
    }

    @Operation
    public String next() {
        Optional<PendingDeletes.Batch> batch = pendingDeletes.next();
        return batch.map(some -> String.valueOf(some)).orElse("nothing");
    }

    @Operation
    public int confirm(@Param(name = "key") int key, @Param(name = "number") int upTo) {
        return pendingDeletes.confirm(new PendingDeletes.Batch(List.of(encoded(key)), false, upTo));
    }

    @Operation
    public boolean isDoneUpTo(@Param(name = "number") int number) {
        return pendingDeletes.isDoneUpTo(number);
    }

    @Operation
    public int size() {
        return pendingDeletes.size();
    }

    @Test
    void operations_areLinearizable() {
        new ModelCheckingOptions()
                .iterations(5)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .check(getClass());
    }
}
