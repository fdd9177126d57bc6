// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;
import org.junit.jupiter.api.Nested;

/** The conformance tests on the engine that runs without any server. */
public class EmbeddedConformanceTest implements JCacheConformance.Engine {
    @Override
    public Properties properties() {
        return new Properties();
    }

    @Nested
    class Argument extends ArgumentConformance {}

    @Nested
    class AsynchronousForm extends AsynchronousFormConformance {}

    @Nested
    class AsynchronousEvent extends AsynchronousEventConformance {}

    @Nested
    class Callback extends CallbackConformance {}

    @Nested
    class Customisation extends CustomisationConformance {}

    @Nested
    class Event extends EventConformance {}

    @Nested
    class Expiry extends ExpiryConformance {}

    @Nested
    class Iterator extends IteratorConformance {}

    @Nested
    class LifeCycle extends LifeCycleConformance {}

    @Nested
    class Loader extends LoaderConformance {}

    @Nested
    class Loading extends LoadingConformance {}

    @Nested
    class LoadingOption extends LoadingOptionConformance {}

    @Nested
    class Management extends ManagementConformance {}

    @Nested
    class Processor extends ProcessorConformance {}

    @Nested
    class Scan extends ScanConformance {}

    @Nested
    class TimeToLive extends TimeToLiveConformance {}

    @Nested
    class Value extends ValueConformance {}

    @Nested
    class WriteBehind extends WriteBehindConformance {}

    @Nested
    class Writer extends WriterConformance {}
}
