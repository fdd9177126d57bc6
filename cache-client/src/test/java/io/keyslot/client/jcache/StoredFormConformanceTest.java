// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;
import org.junit.jupiter.api.Nested;

/** The conformance tests about values, with values that are encrypted, and compressed if they are large. */
class StoredFormConformanceTest {
    private static Properties engine() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.caches.conformance.encryption.key", EncryptionContract.KEY);
        properties.setProperty("keyslot.caches.conformance.compression.from", "64");
        return properties;
    }

    @Nested
    class Event extends EventConformance {
        Event() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Expiry extends ExpiryConformance {
        Expiry() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Iterator extends IteratorConformance {
        Iterator() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Loader extends LoaderConformance {
        Loader() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Processor extends ProcessorConformance {
        Processor() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Scan extends ScanConformance {
        Scan() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Value extends ValueConformance {
        Value() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class WriteBehind extends WriteBehindConformance {
        WriteBehind() {
            super(StoredFormConformanceTest::engine);
        }
    }

    @Nested
    class Writer extends WriterConformance {
        Writer() {
            super(StoredFormConformanceTest::engine);
        }
    }
}
