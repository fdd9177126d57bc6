// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The conformance tests on the engine that runs without any server. */
public class EmbeddedConformanceTest {
    private static final Supplier<Properties> ENGINE = Properties::new;

    @Nested
    class Argument extends ArgumentConformance {
        Argument() {
            super(ENGINE);
        }
    }

    @Nested
    class AsynchronousForm extends AsynchronousFormConformance {
        AsynchronousForm() {
            super(ENGINE);
        }
    }

    @Nested
    class AsynchronousEvent extends AsynchronousEventConformance {
        AsynchronousEvent() {
            super(ENGINE);
        }
    }

    @Nested
    class Callback extends CallbackConformance {
        Callback() {
            super(ENGINE);
        }
    }

    @Nested
    class Customisation extends CustomisationConformance {
        Customisation() {
            super(ENGINE);
        }
    }

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
    class LifeCycle extends LifeCycleConformance {
        LifeCycle() {
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
    class Loading extends LoadingConformance {
        Loading() {
            super(ENGINE);
        }
    }

    @Nested
    class LoadingOption extends LoadingOptionConformance {
        LoadingOption() {
            super(ENGINE);
        }
    }

    @Nested
    class Management extends ManagementConformance {
        Management() {
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
    class Statistics extends StatisticsConformance {
        Statistics() {
            super(ENGINE);
        }
    }

    @Nested
    class TimeToLive extends TimeToLiveConformance {
        TimeToLive() {
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
