// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The conformance tests about values, with values that are encrypted, and compressed if they are large. */
class StoredFormConformanceTest {
    private static final Supplier<Properties> ENGINE = () -> {
        Properties properties = new Properties();
        properties.setProperty("keyslot.caches.conformance.encryption.key", EncryptionContract.KEY);
        properties.setProperty("keyslot.caches.conformance.compression.from", "64");
        return properties;
    };

    @Nested
    class Event extends EventConformance {
        Event() {
            super(ENGINE);
        }
    }

    @Nested
    class Expiry extends ExpiryConformance {
        Expiry() {
            super(ENGINE);
        }
    }

    @Nested
    class Iterator extends IteratorConformance {
        Iterator() {
            super(ENGINE);
        }
    }

    @Nested
    class Loader extends LoaderConformance {
        Loader() {
            super(ENGINE);
        }
    }

    @Nested
    class Processor extends ProcessorConformance {
        Processor() {
            super(ENGINE);
        }
    }

    @Nested
    class Scan extends ScanConformance {
        Scan() {
            super(ENGINE);
        }
    }

    @Nested
    class Value extends ValueConformance {
        Value() {
            super(ENGINE);
        }
    }

    @Nested
    class WriteBehind extends WriteBehindConformance {
        WriteBehind() {
            super(ENGINE);
        }
    }

    @Nested
    class Writer extends WriterConformance {
        Writer() {
            super(ENGINE);
        }
    }
}
