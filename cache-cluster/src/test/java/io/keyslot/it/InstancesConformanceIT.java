// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.client.jcache.ArgumentConformance;
import io.keyslot.client.jcache.AsynchronousEventConformance;
import io.keyslot.client.jcache.AsynchronousFormConformance;
import io.keyslot.client.jcache.CustomisationConformance;
import io.keyslot.client.jcache.EventConformance;
import io.keyslot.client.jcache.ExpiryConformance;
import io.keyslot.client.jcache.IteratorConformance;
import io.keyslot.client.jcache.LifeCycleConformance;
import io.keyslot.client.jcache.LoaderConformance;
import io.keyslot.client.jcache.LoadingConformance;
import io.keyslot.client.jcache.LoadingOptionConformance;
import io.keyslot.client.jcache.ManagementConformance;
import io.keyslot.client.jcache.ProcessorConformance;
import io.keyslot.client.jcache.ScanConformance;
import io.keyslot.client.jcache.StatisticsConformance;
import io.keyslot.client.jcache.TimeToLiveConformance;
import io.keyslot.client.jcache.ValueConformance;
import io.keyslot.client.jcache.WriteBehindConformance;
import io.keyslot.client.jcache.WriterConformance;
import io.keyslot.cluster.local.TestServers;
import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The conformance tests on three real servers. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
public class InstancesConformanceIT {
    private static final Supplier<Properties> ENGINE = InstancesConformanceIT::properties;

    private static TestServers servers;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
    }

    @AfterAll
    static void endServers() throws Exception {
        servers.close();
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        // A machine that builds is slow at times.
        properties.setProperty("keyslot.deadlines.call", "5s");
        properties.setProperty("keyslot.deadlines.command", "2s");
        properties.setProperty("keyslot.codec.allow", "io.keyslot.client.jcache.**");
        return properties;
    }

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
