// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.client.jcache.ArgumentConformance;
import io.keyslot.client.jcache.AsynchronousEventConformance;
import io.keyslot.client.jcache.AsynchronousFormConformance;
import io.keyslot.client.jcache.CallbackConformance;
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
import java.util.Properties;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The conformance tests on real servers; who extends this starts them. */
public abstract class ServersConformance {
    /** Returns the settings of a manager of these servers. */
    abstract Properties properties();

    /** Returns the settings, with deadlines for a machine that builds. */
    static Properties patient(String engine, Iterable<String> addresses) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.engine", engine);
        properties.setProperty("keyslot.partitions", String.join(",", addresses));
        properties.setProperty("keyslot.deadlines.call", "5s");
        properties.setProperty("keyslot.deadlines.command", "2s");
        properties.setProperty("keyslot.codec.allow", "io.keyslot.client.jcache.**");
        return properties;
    }

    @Nested
    class Argument extends ArgumentConformance {
        Argument() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class AsynchronousForm extends AsynchronousFormConformance {
        AsynchronousForm() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class AsynchronousEvent extends AsynchronousEventConformance {
        AsynchronousEvent() {
            super(ServersConformance.this::properties);
        }
    }

    /** Tagged, like two others below: its waits are long on real servers. The build runs it on the embedded engine. */
    @Tag("thorough")
    @Nested
    class Callback extends CallbackConformance {
        Callback() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Customisation extends CustomisationConformance {
        Customisation() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Event extends EventConformance {
        Event() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Expiry extends ExpiryConformance {
        Expiry() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Iterator extends IteratorConformance {
        Iterator() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class LifeCycle extends LifeCycleConformance {
        LifeCycle() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Loader extends LoaderConformance {
        Loader() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Loading extends LoadingConformance {
        Loading() {
            super(ServersConformance.this::properties);
        }
    }

    @Tag("thorough")
    @Nested
    class LoadingOption extends LoadingOptionConformance {
        LoadingOption() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Management extends ManagementConformance {
        Management() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Processor extends ProcessorConformance {
        Processor() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Scan extends ScanConformance {
        Scan() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Statistics extends StatisticsConformance {
        Statistics() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class TimeToLive extends TimeToLiveConformance {
        TimeToLive() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Value extends ValueConformance {
        Value() {
            super(ServersConformance.this::properties);
        }
    }

    @Tag("thorough")
    @Nested
    class WriteBehind extends WriteBehindConformance {
        WriteBehind() {
            super(ServersConformance.this::properties);
        }
    }

    @Nested
    class Writer extends WriterConformance {
        Writer() {
            super(ServersConformance.this::properties);
        }
    }
}
