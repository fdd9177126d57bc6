// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.jcache.SingleFlights.Flight;
import io.keyslot.client.jcache.SingleFlights.LoadResult;
import io.keyslot.client.jcache.SingleFlights.Participation;
import io.keyslot.client.stored.EncodedKey;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of a few operations has the outcome of one after the other: an entry has one flight that is led at a
 * time, and none once it has landed. Lincheck chooses the interleavings.
 */
@Tag("lincheck")
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class SingleFlightsLincheckTest {
    private final SingleFlights<String> flights = new SingleFlights<>(value -> value);

    /** The flights that somebody leads, by key. */
    private final AtomicReferenceArray<Flight<String>> led = new AtomicReferenceArray<>(2);

    private static EncodedKey encoded(int key) {
        return EncodedKey.of("customer:" + key);
    }

    @Operation
    public boolean leadIfNone(@Param(name = "key") int key) {
        Participation<String> mine = flights.leadIfNone(encoded(key));
        return mine != null && led.compareAndSet(key, null, mine.flight());
    }

    /** Nothing was looked at yet, so that whoever comes joins. */
    @Operation
    public String join(@Param(name = "key") int key) {
        Participation<String> mine = flights.join(encoded(key), 0);
        if (!mine.leads()) {
            return "shares";
        }
        if (mine.ahead() != null) {
            return "leads the next";
        }
        led.set(key, mine.flight());
        return "leads";
    }

    @Operation
    public boolean end(@Param(name = "key") int key) {
        Flight<String> flight = led.getAndSet(key, null);
        if (flight == null) {
            return false;
        }
        flights.end(encoded(key), flight, LoadResult.of("value"));
        return flight.result.isDone();
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
