// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;
import org.junit.jupiter.api.Nested;

/** The conformance tests about values, with values that are encrypted, and compressed if they are large. */
class StoredFormConformanceTest implements JCacheConformance.Engine {
    @Override
    public Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.caches.conformance.encryption.key", EncryptionContract.KEY);
        properties.setProperty("keyslot.caches.conformance.compression.from", "64");
        return properties;
    }

    @Nested
    class Event extends EventConformance {}

    @Nested
    class Expiry extends ExpiryConformance {}

    @Nested
    class Iterator extends IteratorConformance {}

    @Nested
    class Loader extends LoaderConformance {}

    @Nested
    class Processor extends ProcessorConformance {}

    @Nested
    class Scan extends ScanConformance {}

    @Nested
    class Value extends ValueConformance {}

    @Nested
    class WriteBehind extends WriteBehindConformance {}

    @Nested
    class Writer extends WriterConformance {}
}
