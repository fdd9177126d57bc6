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
import io.keyslot.client.jcache.JCacheConformance;
import io.keyslot.client.jcache.LifeCycleConformance;
import io.keyslot.client.jcache.LoaderConformance;
import io.keyslot.client.jcache.LoadingConformance;
import io.keyslot.client.jcache.LoadingOptionConformance;
import io.keyslot.client.jcache.ManagementConformance;
import io.keyslot.client.jcache.ProcessorConformance;
import io.keyslot.client.jcache.ScanConformance;
import io.keyslot.client.jcache.TimeToLiveConformance;
import io.keyslot.client.jcache.ValueConformance;
import io.keyslot.client.jcache.WriteBehindConformance;
import io.keyslot.client.jcache.WriterConformance;
import java.util.Properties;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The conformance tests on real servers; who extends this starts them. */
public abstract class ServersConformance implements JCacheConformance.Engine {
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
    class Argument extends ArgumentConformance {}

    @Nested
    class AsynchronousForm extends AsynchronousFormConformance {}

    @Nested
    class AsynchronousEvent extends AsynchronousEventConformance {}

    /** Tagged, like two others below: its waits are long on real servers. The build runs it on the embedded engine. */
    @Tag("thorough")
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

    @Tag("thorough")
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

    @Tag("thorough")
    @Nested
    class WriteBehind extends WriteBehindConformance {}

    @Nested
    class Writer extends WriterConformance {}
}
